import Assessment
import ExamCore
import Foundation
import StudyFolders
import SystemSupport
import TestSupport
import Testing

@testable import SessionFolders
@testable import Study

/// The names that a person types for a session.
@Suite struct SessionFindTests {
    private let test: TestShelf
    private let ids: [String]

    init() throws {
        test = try TestShelf()
        var ids: [String] = []
        for (format, seconds) in [
            ("ielts-style", 0), ("ielts-style", 1), ("toefl-2026", 86_400), ("toefl-2026", 172_800),
        ] {
            let moment = WallTime(secondsSince1970: TestShelf.morning.secondsSince1970 + seconds)
            let folder = try test.shelf.newFolder(format: format, at: moment)
            let consent = SessionRecord.Consent(words: "Yes.", givenAt: moment.utc)
            try folder.write(SessionRecord(startedAt: moment.utc, consent: consent, folders: [], voice: []))
            ids.append(folder.name)
        }
        self.ids = ids
    }

    private func sentence(_ name: String) -> String? {
        let problem = #expect(throws: Problem.self) { try test.shelf.find(name) }
        #expect(problem?.kind == .missing)
        return problem?.sentence
    }

    @Test func anIdIsFoundThoughAnotherBeginsLikeIt() throws {
        #expect(ids[1] == ids[0] + "-2")
        for id in ids { #expect(try test.shelf.find(id).name == id) }
    }

    @Test func theBeginningOfOneIsEnough() throws {
        #expect(try test.shelf.find(String(ids[2].dropLast(9))).name == ids[2])
    }

    @Test func theLastIsTheNewest() throws {
        #expect(try test.shelf.find("last").name == ids[3])
    }

    /// A learner who did a spoken drill after an exam asks for the results of the exam.
    @Test func theLastIsAnExamAndNoDrill() async throws {
        let day = 86_400
        func session(_ number: Int, drill: Bool) async throws -> String {
            let moment = WallTime(secondsSince1970: TestShelf.morning.secondsSince1970 + number * day)
            let folder = try await test.session(at: moment, encoding: false)
            let profile = DeliveryProfile(calibration: "made", measures: DeliveryMeasures(), gates: [])
            try folder.write(ExamAssessment(session: folder.name, answers: [], parts: [], delivery: profile))
            guard drill else { return folder.name }
            let file = URL(filePath: folder.exam)
            var exam = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            var paper = try #require(exam["paper"] as? [String: Any])
            paper["id"] = SpokenDrill.repeatAfterMe.paper(of: []).id
            exam["paper"] = paper
            try JSONSerialization.data(withJSONObject: exam).write(to: file)
            return folder.name
        }
        let drill = try await session(10, drill: true)
        #expect(try test.shelf.find("last").name == ids[3])
        let exam = try await session(11, drill: false)
        let newest = try await session(12, drill: true)
        #expect(try test.shelf.find("last").name == exam)
        #expect(test.shelf.assessed().map(\.summary.id) == [exam])
        #expect(test.shelf.assessed(format: "ielts-style").map(\.summary.id) == [drill, exam, newest])
    }

    @Test func aPathLeadsToAnySession() async throws {
        let folder = try await test.session(closes: .seconds(2), encoding: false)
        let elsewhere = test.folder.path + "/elsewhere"
        try FileManager.default.moveItem(atPath: folder.path, toPath: elsewhere)
        #expect(try test.shelf.find(elsewhere + "/").path == elsewhere)
        #expect(sentence(test.folder.path)?.hasSuffix(": is not a session's folder: it has no exam.json") == true)
        #expect(sentence("/nowhere/at-all") == "/nowhere/at-all: no such file or directory")
    }

    @Test func anAmbiguousNameIsNotGuessed() {
        #expect(
            sentence("2026-11-2")
                == "session \"2026-11-2\": 4 of 4 begin with this (newest: \(ids[3]), \(ids[2]) or \(ids[1]))")
        let day = String(ids[0].prefix(10))
        #expect(sentence(day) == "session \"\(day)\": 2 of 4 begin with this (\(ids[1]) or \(ids[0]))")
    }

    @Test(arguments: ["1999", "ielts", "..", "."])
    func unknownNamesAreAnsweredWithTheKnownOnes(_ name: String) {
        #expect(
            sentence(name) == "session \"\(name)\": does not exist (newest: \(ids[3]), \(ids[2]) or \(ids[1]))")
    }

    /// For example `oracy sessions erase "$ID"` in a script in which ID is unset.
    @Test func anEmptyNameIsNotASession() throws {
        for id in ids.dropLast() { try FileManager.default.removeItem(atPath: "\(test.shelf.path)/\(id)") }
        #expect(sentence("") == "session \"\": does not exist (\(ids[3]))")
    }

    @Test func anEmptyShelfSaysSo() {
        let problem = #expect(throws: Problem.self) { try SessionShelf(path: "/nowhere").find("last") }
        #expect(problem == Problem(.missing, "session \"last\": there are no sessions in /nowhere"))
    }
}

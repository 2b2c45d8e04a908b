import Assessment
import ExamKit
import Foundation
import Learning
import SessionFolders
import Study
import SystemSupport
import Testing

@testable import StudyFolders

/// The figures of exams that are kept beside their sessions.
@Suite final class KeptFiguresTests {
    private let home = FileManager.default.temporaryDirectory.appending(path: "oracy-figures-\(UUID())").path
    private let folder: SessionFolder
    private var sessions: SessionShelf { SessionShelf(path: home + "/sessions") }
    private let moment = StudyMoment(seconds: 1_795_000_000, offset: 0)

    /// Makes a shelf with one replayed exam of the fixtures, which is measured.
    init() async throws {
        let fixtures = URL(filePath: #filePath).appending(path: "../../../AudioFixtures").standardizedFileURL.path
        try FileManager.default.createDirectory(atPath: home + "/sessions", withIntermediateDirectories: true)
        let replay = try await Replay(Scenario(folder: fixtures + "/scenarios/pocket-exam"))
        folder = try await replay.run(into: home + "/sessions/exam").session.folder
        let began = "2026-11-21T09:12:29Z"
        try folder.write(
            SessionRecord(startedAt: began, consent: .init(words: "yes", givenAt: began), folders: [], voice: []))
        try ExamAssessment.assess(folder)
    }

    deinit { try? FileManager.default.removeItem(atPath: home) }

    /// Returns the figures from which plans are made.
    private func planned(by rules: ResultRules = .ielts) async throws -> ExamFigures {
        let shelf = FolderShelf(sessions, data: home + "/data")
        let facts = try await Planning(on: shelf, Practising(on: shelf), by: rules).facts(at: moment)
        #expect(facts.exams.map(\.session) == [folder.name])
        return try #require(facts.exams.first).figures
    }

    /// Changes the kept figures, to tell them from those that are made anew.
    private func mark() throws {
        let file = URL(filePath: folder.path + "/figures.json")
        var kept = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        var figures = try #require(kept["figures"] as? [String: Any])
        figures["mistakes"] = ["marked": 7]
        kept["figures"] = figures
        try JSONSerialization.data(withJSONObject: kept).write(to: file)
        #expect(folder.keptFigures?.mistakes == ["marked": 7])
    }

    @Test func figuresAreMadeOnce() async throws {
        #expect(folder.keptFigures == nil)
        let made = try await planned()
        #expect(made.delivery == (try folder.readAssessment())?.delivery)
        #expect(made.parts.isEmpty == false)
        #expect(folder.keptFigures == made)
        #expect(try await planned() == made)
        try mark()
        #expect(try await planned().mistakes == ["marked": 7])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/figures.json")[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    /// A change of any file that the figures are made of.
    @Test func figuresAreMadeAgainAfterAChange() async throws {
        let made = try await planned()
        for file in [folder.exam, folder.manifest, folder.assessment] {
            try mark()
            // The same words in another file.
            try PrivateFile.replace(file, with: PrivateFile.read(file))
            #expect(folder.keptFigures == nil, "\(file)")
            #expect(try await planned() == made, "\(file)")
        }
        for file in [folder.transcripts, folder.findings, folder.marks] {
            try mark()
            try PrivateFile.replace(file, with: Array(#"{"version": 1, "items": []}"#.utf8))
            #expect(folder.keptFigures == nil, "\(file)")
            #expect(try await planned() == made, "\(file)")
        }
        try mark()
        try PrivateFile.replace(folder.path + "/figures.json", with: Array("{".utf8))
        #expect(folder.keptFigures == nil)
        #expect(try await planned() == made)
        #expect(folder.keptFigures == made)
    }

    @Test func otherRulesHaveOtherFigures() async throws {
        let made = try await planned()
        try mark()
        var rules = ResultRules.ielts
        rules.id = "others/1"
        let others = try await planned(by: rules)
        #expect(others.mistakes == made.mistakes)
        #expect(others.estimates == made.estimates)
        #expect(others != made, "\(others)")
    }

    /// The figures go with the exam.
    @Test func figuresAreErasedWithTheirExam() async throws {
        _ = try await planned()
        let erasure = try sessions.erase(folder)
        #expect(erasure.left.isEmpty, "\(erasure.left)")
        #expect(erasure.removed.contains { $0.name == "figures.json" })
    }
}

import Assessment
import ExamCore
import Foundation
import Glibc
import Study
import StudyFolders
import SystemSupport
import TestSupport
import Testing

@testable import SessionFolders

/// Findings are erased and copied with their session. Old sessions are recognised by their age.
@Suite struct SessionFindingsErasure {
    private static let findings = ["assessment.json", "transcripts.json", "marks.json", "report.html"]

    private func addFindings(to folder: SessionFolder) throws {
        for name in Self.findings { try PrivateFile.replace("\(folder.path)/\(name)", with: Array("mine".utf8)) }
    }

    @Test func eachThingIsReportedWithItsHash() async throws {
        let test = try TestShelf()
        let folder = try await test.session()
        try addFindings(to: folder)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "/etc/passwd")
        let hashes = try folder.files.map { ($0.name, try PrivateFile.digest("\(folder.path)/\($0.name)").sha256) }
        let erasure = try test.shelf.erase(folder)
        let removed = Dictionary(uniqueKeysWithValues: erasure.removed.map { ($0.name, $0) })
        #expect(Set(Self.findings).isSubset(of: removed.keys))
        for (name, hash) in hashes { #expect(removed[name]?.sha256 == hash, "\(name)") }
        #expect(removed["link"]?.sha256 == nil && removed["takes"]?.sha256 == nil && removed["."]?.sha256 == nil)
        #expect(erasure.removed.allSatisfy { WallTime(utc: $0.removedAt) != nil })
    }

    /// A kill interrupts erasing after each removal in turn. Erasing again finds the session and finishes.
    @Test func erasingAgainRepairsAKillBetweenTwoRemovals() async throws {
        let test = try TestShelf()
        let made = try await test.session()
        try addFindings(to: made)
        let copy = test.folder.path + "/copy"
        try FileManager.default.copyItem(atPath: made.path, toPath: copy)
        let order = try test.shelf.erase(made).removed
        for killedAfter in order.indices.dropLast() {
            try FileManager.default.copyItem(atPath: copy, toPath: made.path)
            for thing in order[...killedAfter] {
                #expect(remove("\(made.path)/\(thing.name)") == 0, "\(thing.name)")
            }
            let erasure = try test.shelf.erase(test.shelf.find(made.name))
            #expect(erasure.left.isEmpty)
            #expect(erasure.removed.map(\.name) == order[(killedAfter + 1)...].map(\.name))
            #expect(access(made.path, F_OK) != 0)
        }
    }

    /// An unreadable file has no hash, but is erased anyway. Even root can't read a link that leads nowhere.
    @Test func unreadableFilesAreErasedWithoutAHash() async throws {
        let test = try TestShelf()
        let folder = try await test.session()
        try addFindings(to: folder)
        #expect(remove(folder.marks) == 0)
        #expect(symlink("/nowhere/\(UUID().uuidString)", folder.marks) == 0)
        let erasure = try test.shelf.erase(folder)
        #expect(erasure.left.isEmpty)
        let marks = try #require(erasure.removed.first { $0.name == "marks.json" })
        #expect(marks.sha256 == nil)
        var status = stat()
        #expect(lstat(folder.marks, &status) != 0)
    }

    @Test func aCopyHasTheFindings() async throws {
        let test = try TestShelf()
        let folder = try await test.session()
        try addFindings(to: folder)
        let export = try test.shelf.export(folder, to: test.folder.path + "/copy")
        #expect(Set(Self.findings).isSubset(of: export.files))
        for name in Self.findings { #expect(test.folder.mode(of: "copy/" + name) == 0o600) }
    }

    @Test func ageCountsFromTheBeginning() async throws {
        let test = try TestShelf()
        let session = SessionSummary(try await test.session(closes: .seconds(20), encoding: false))
        let began = TestShelf.morning.secondsSince1970
        let retention = SessionRetention(days: 90)
        #expect(!retention.isOver(session, at: WallTime(secondsSince1970: began + 90 * 86_400)))
        #expect(retention.isOver(session, at: WallTime(secondsSince1970: began + 90 * 86_400 + 1)))
        // Setting the clock back makes no session old.
        #expect(!retention.isOver(session, at: WallTime(secondsSince1970: 0)))
    }

    /// The remains of an interrupted erasure no longer show the start of the session.
    @Test func ageCountsFromTheLastWriteWithoutARecord() async throws {
        let test = try TestShelf()
        let folder = try await test.session(closes: .seconds(20), encoding: false)
        unlink(folder.record)
        unlink(folder.exam)
        let session = SessionSummary(folder)
        #expect(!SessionRetention(days: 1).isOver(session))
        let later = WallTime(secondsSince1970: WallTime.now.secondsSince1970 + 2 * 86_400)
        #expect(SessionRetention(days: 1).isOver(session, at: later))
    }

    @Test func onlyEarlierExamsThatWereJudgedAreCompared() async throws {
        let test = try TestShelf()
        let day = 86_400
        var folders: [SessionFolder] = []
        for (number, gates) in [[], [.noisy], [], []].enumerated() as EnumeratedSequence<[[DeliveryGate]]> {
            let moment = WallTime(secondsSince1970: TestShelf.morning.secondsSince1970 + number * day)
            let folder = try await test.session(at: moment, encoding: false)
            let profile = DeliveryProfile(calibration: "made", measures: DeliveryMeasures(), gates: gates)
            try folder.write(ExamAssessment(session: folder.name, answers: [], parts: [], delivery: profile))
            folders.append(folder)
        }
        let shelf = FolderShelf(test.shelf)
        let newest = try await shelf.exams(limit: 10, before: nil)
        #expect(newest.map(\.id) == folders.reversed().map(\.name))
        let earlier = try await EarlierExams.of(newest[1], on: shelf)
        #expect(earlier.map(\.session) == [folders[0].name])
        #expect(test.shelf.assessed().map(\.summary.id) == folders.map(\.name))
        #expect(test.shelf.assessed(format: "toefl-2026").isEmpty)
    }

    @Test func aMissingRecordingIsNoticed() async throws {
        let test = try TestShelf()
        let folder = try await test.session()
        #expect(try folder.answersWithoutRecording().isEmpty)
        unlink(folder.takes + "/part3_q2.opus")
        #expect(try folder.answersWithoutRecording().map(\.name) == ["part3_q2"])
    }
}

import Foundation
import Glibc
import StudyFolders
import SystemSupport
import TestSupport
import Testing
import VirtualDevices

@testable import SessionFolders

/// Erasing a session removes everything that was recorded of a person, and nothing else.
@Suite struct SessionErasureTests {
    private func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private func write(_ text: String, to path: String) throws {
        try FileManager.default.createDirectory(
            atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    @Test func aFinishedSessionIsErasedCompletely() async throws {
        let test = try TestShelf()
        let folder = try await test.session()
        try write("bridges: long, old", to: folder.notes)
        let byteCount = SessionSummary(folder).byteCount
        let erasure = try test.shelf.erase(folder)
        #expect(erasure.left.isEmpty)
        #expect(
            erasure.removed.map(\.name) == [
                "takes/part3_q1.opus", "takes/part3_q2.opus", "takes/part3_q3.opus", "exam.json", "manifest.json",
                "notes.txt", "session.json", "takes", "log.jsonl", ".",
            ], "recordings are erased first, the log and the folder last")
        #expect(erasure.removed.reduce(0) { $0 + $1.byteCount } == byteCount)
        #expect(!exists(folder.path))
        #expect(test.folder.names(in: "/sessions").isEmpty)
    }

    /// Includes the leftovers of encoders, writers and clocks that a kill interrupted.
    @Test func aKilledSessionIsErasedCompletely() async throws {
        let test = try TestShelf()
        let folder = try await test.killed(after: .seconds(40))
        try write("half an answer", to: folder.takes + "/part3_q1.opus.part")
        try write("another attempt", to: folder.takes + "/part3_q12_a2.wav")
        try write("{", to: folder.manifest + ".part")
        try write("000000012345\n", to: folder.clock)
        let erasure = try test.shelf.erase(folder)
        #expect(erasure.left.isEmpty, "\(erasure.left)")
        #expect(erasure.removed.contains { $0.name == "takes/part3_q2.wav" && $0.byteCount > 32_000 })
        #expect(!exists(folder.path))
    }

    @Test(arguments: [["exam.json"], ["exam.json", "log.jsonl"], ["log.jsonl"], ["takes"]])
    func aBrokenSessionIsErasedLikeAnyOther(_ missing: [String]) async throws {
        let test = try TestShelf()
        let folder = try await test.session(closes: .seconds(20), encoding: false)
        for name in missing { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }
        #expect(try test.shelf.erase(test.shelf.find("last")).left.isEmpty)
        #expect(!exists(folder.path))
    }

    @Test func targetsOfLinksSurvive() async throws {
        let test = try TestShelf()
        let folder = try await test.session(closes: .seconds(20), encoding: false)
        let outside = test.folder.path + "/outside"
        try write("a letter", to: outside + "/part3_q2.wav")
        let links = [
            ("takes/part3_q2.wav", outside + "/part3_q2.wav"), ("notes.txt", outside + "/part3_q2.wav"),
            ("takes/part3_q3.opus", outside), ("anything", outside), ("nowhere", "/nowhere"),
        ]
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(name)", withDestinationPath: target)
        }
        let erasure = try test.shelf.erase(folder)
        #expect(erasure.left.isEmpty)
        #expect(Set(erasure.removed.filter { $0.kind == .link }.map(\.name)) == Set(links.map(\.0)))
        #expect(!exists(folder.path))
        #expect(try String(contentsOfFile: outside + "/part3_q2.wav", encoding: .utf8) == "a letter")
    }

    @Test func aFolderOfTakesThatIsALinkIsNotEntered() async throws {
        let test = try TestShelf()
        let folder = try await test.session(closes: .seconds(20), encoding: false)
        let outside = test.folder.path + "/outside"
        try FileManager.default.moveItem(atPath: folder.takes, toPath: outside)
        try FileManager.default.createSymbolicLink(atPath: folder.takes, withDestinationPath: outside)
        let erasure = try test.shelf.erase(folder)
        #expect(erasure.left.isEmpty)
        #expect(!exists(folder.path))
        #expect(test.folder.names(in: "/outside") == ["part3_q1.wav"])
    }

    @Test func otherFilesStayAndAreNamed() async throws {
        let test = try TestShelf()
        let folder = try await test.session(closes: .seconds(20), encoding: false)
        let foreign = ["diary.txt", "exam.json.bak", "takes/part3_q1.txt", "takes/song.opus", "takes/.hidden"]
        for name in foreign { try write("mine", to: folder.path + "/" + name) }
        try write("mine", to: folder.path + "/papers/exam.json")
        let erasure = try test.shelf.erase(folder)
        #expect(erasure.left.allSatisfy { $0.reason == .foreign })
        #expect(Set(erasure.left.map(\.name)) == Set(foreign + ["papers"]))
        let rest = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(Set(rest) == Set(foreign + ["takes", "papers", "papers/exam.json"]))
    }

    /// A session in use can't be erased, and its folder stays unchanged.
    @Test func aSessionThatIsHeldIsRefused() async throws {
        let test = try TestShelf()
        let folder = try await test.killed(after: .seconds(40))
        let before = try TestShelf.picture(of: folder.path)
        let other = OtherProgram(holding: folder)
        let problem = #expect(throws: Problem.self) { try test.shelf.erase(folder) }
        #expect(
            problem == Problem(.occupied, "\(folder.path): another program is using this session; end it and try again")
        )
        #expect(try TestShelf.picture(of: folder.path) == before)
        withExtendedLifetime(other) {}
    }

    /// Viewing a session locks it for a moment. Erasing waits for that.
    @Test func watchingIsAllowed() async throws {
        let test = try TestShelf()
        let folder = try await test.session(closes: .seconds(20), encoding: false)
        let looking = Task.detached { while !Task.isCancelled { _ = SessionLog.isLocked(folder.log) } }
        for _ in 1...50 {
            try SessionLock(folder, LOCK_EX).end()
        }
        looking.cancel()
        #expect(try test.shelf.erase(folder).left.isEmpty)
    }

    @Test func aSessionIsErasedOnce() async throws {
        let test = try TestShelf()
        let folder = try await test.session(closes: .seconds(20), encoding: false)
        _ = try test.shelf.erase(folder)
        #expect(throws: Problem(.missing, "\(folder.path): no such file or directory")) { try test.shelf.erase(folder) }
    }

    @Test(.needs(SmallDisk.obstacle)) func failedRemovalsAreNamedWithTheReason() async throws {
        let disk = try SmallDisk(kibibytes: 4_000)
        let test = try TestShelf()
        let made = try await test.session(closes: .seconds(20), encoding: false)
        let folder = SessionFolder(path: disk.path + "/session")
        try FileManager.default.copyItem(atPath: made.path, toPath: folder.path)
        let before = try TestShelf.picture(of: folder.path)
        try #require(disk.becomesReadOnly())
        let erasure = try test.shelf.erase(folder)
        #expect(erasure.removed.isEmpty)
        #expect(erasure.left.allSatisfy { $0.reason == .failed("read-only file system") }, "\(erasure.left)")
        #expect(erasure.left.map(\.name).contains("takes/part3_q1.wav"))
        #expect(try TestShelf.picture(of: folder.path) == before)
    }
}

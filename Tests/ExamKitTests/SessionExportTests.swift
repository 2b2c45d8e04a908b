import AudioFiles
import ExamCore
import Foundation
import StudyFolders
import SystemSupport
import TestSupport
import Testing
import VirtualDevices

@testable import SessionFolders

/// A copy of a session is complete and private, or absent.
@Suite struct SessionExportTests {
    @Test func aCopyIsTheSessionAgain() async throws {
        let test = try TestShelf()
        let folder = try await test.session()
        try Data("bridges: long, old".utf8).write(to: URL(filePath: folder.notes))
        try Data("mine".utf8).write(to: URL(filePath: folder.path + "/mine.txt"))
        let before = try TestShelf.picture(of: folder.path)
        let export = try test.shelf.export(folder, to: test.folder.path + "/away/copy")
        #expect(try TestShelf.picture(of: folder.path) == before)
        let names = [
            "takes/part3_q1.opus", "takes/part3_q2.opus", "takes/part3_q3.opus", "log.jsonl", "manifest.json",
            "notes.txt", "session.json", "exam.json",
        ]
        #expect(export.files == names)
        var byteCount = 0
        for name in names {
            #expect(test.folder.mode(of: "away/copy/" + name) == 0o600)
            let (original, copy) = (try PrivateFile.read("\(folder.path)/\(name)"), "\(export.folder.path)/\(name)")
            #expect(try PrivateFile.read(copy) == original, "\(name)")
            byteCount += original.count
        }
        #expect(export.byteCount == byteCount)
        for name in ["away", "away/copy", "away/copy/takes"] { #expect(test.folder.mode(of: name) == 0o700) }
        let all = try FileManager.default.subpathsOfDirectory(atPath: export.folder.path)
        #expect(Set(all) == Set(names + ["takes"]))
        let copy = SessionSummary(try test.shelf.find(export.folder.path))
        #expect(copy.state == .over(.withdrawn))
        #expect(copy.takes == SessionSummary(folder).takes)
    }

    /// The copy can be resumed elsewhere, so it contains the open take too.
    @Test func aKilledSessionIsCopiedAsItIs() async throws {
        let test = try TestShelf()
        let folder = try await test.killed(after: .seconds(40))
        let export = try test.shelf.export(folder, to: test.folder.path + "/copy")
        let (original, copy) = (SessionSummary(folder), SessionSummary(export.folder))
        #expect(copy.state == original.state)
        #expect(copy.takes == original.takes)
    }

    @Test func takesAreDecodedBesides() async throws {
        let test = try TestShelf()
        let folder = try await test.session()
        let export = try test.shelf.export(folder, to: test.folder.path + "/copy", wav: true)
        let takes = SessionSummary(folder).takes
        #expect(takes.count == 3)
        for take in takes {
            let wav = "\(export.folder.path)/\(take.file.dropLast(5)).wav"
            let reader = try SoundFileReader(path: wav)
            #expect(reader.sampleRate == 16_000 && reader.channelCount == 1)
            #expect(try reader.frameCount == SoundFileReader(path: "\(folder.path)/\(take.file)").frameCount)
            #expect(try Fixtures.samples(wav).contains { abs($0) > 0.05 }, "the WAV file contains more than silence")
        }
        #expect(export.files.count == 10 && export.files.last == "exam.json")
        #expect(try test.shelf.erase(export.folder).left.isEmpty, "a copy is erased like any session")
    }

    @Test func onlyEmptyFoldersAreAccepted() async throws {
        let test = try TestShelf()
        let folder = try await test.session(closes: .seconds(20), encoding: false)
        let target = test.folder.path + "/target"
        try Data("mine".utf8).write(to: URL(filePath: target))
        let refusal = Problem(.occupied, "\(target): name a folder that is empty or new")
        #expect(throws: refusal) { try test.shelf.export(folder, to: target) }
        try FileManager.default.removeItem(atPath: target)
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        #expect(try test.shelf.export(folder, to: target).files.contains("exam.json"))
        #expect(throws: refusal) { try test.shelf.export(folder, to: target) }
        let problem = #expect(throws: Problem.self) { try test.shelf.export(folder, to: "/proc/nowhere/copy") }
        #expect(problem?.kind == .occupied)
    }

    @Test func aSessionThatIsHeldIsRefused() async throws {
        let test = try TestShelf()
        let folder = try await test.killed(after: .seconds(40))
        let other = OtherProgram(holding: folder)
        let problem = #expect(throws: Problem.self) {
            try test.shelf.export(folder, to: test.folder.path + "/copy")
        }
        #expect(problem?.kind == .occupied)
        #expect(test.folder.names() == ["sessions"])
        withExtendedLifetime(other) {}
    }

    @Test func linksAndStrangersAreNotCopied() async throws {
        let test = try TestShelf()
        let folder = try await test.session(closes: .seconds(20), encoding: false)
        let secret = test.folder.path + "/secret"
        try Data("secret".utf8).write(to: URL(filePath: secret))
        for name in ["notes.txt", "takes/part3_q7.opus"] {
            try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(name)", withDestinationPath: secret)
        }
        let export = try test.shelf.export(folder, to: test.folder.path + "/copy")
        #expect(test.folder.names(in: "/copy/takes") == ["part3_q1.wav"])
        #expect(!export.files.contains("notes.txt"))
    }

    @Test func aTakeThatDoesNotDecodeLeavesNoCopy() async throws {
        let test = try TestShelf()
        let folder = try await test.session()
        try Data("no sound".utf8).write(to: URL(filePath: folder.takes + "/part3_q2.opus"))
        let problem = #expect(throws: Problem.self) {
            try test.shelf.export(folder, to: test.folder.path + "/a/b/copy", wav: true)
        }
        #expect(problem?.kind == .malformed)
        #expect(problem?.sentence.hasPrefix(folder.takes + "/part3_q2.opus: ") == true)
        #expect(test.folder.names() == ["sessions"], "the folders for the copy are removed, too")
        #expect(
            try test.shelf.export(folder, to: test.folder.path + "/copy").files.count == 7,
            "without conversion, the damaged recording is copied")
    }

    /// The disk fills up at any file, or during decoding.
    @Test(.needs(SmallDisk.obstacle)) func aFullDiskLeavesNothingHalfWritten() async throws {
        let test = try TestShelf()
        let folder = try await test.session()
        for kibibytes in [8, 60, 120, 180, 200, 300, 600, 1_200] {
            let disk = try SmallDisk(kibibytes: kibibytes)
            for target in [disk.path, disk.path + "/a/copy"] {
                let problem = #expect(throws: Problem.self) { try test.shelf.export(folder, to: target, wav: true) }
                #expect(problem?.kind == .unwritable)
                #expect(problem?.sentence.hasPrefix(target) == true, "\(problem?.sentence ?? "")")
                #expect(try FileManager.default.subpathsOfDirectory(atPath: disk.path).isEmpty)
            }
        }
    }
}

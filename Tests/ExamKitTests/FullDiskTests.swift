import ExamCore
import Foundation
import SystemSupport
import TestSupport
import Testing
import VirtualDevices

@testable import ExamKit
@testable import SessionFolders

/// A disk that fills up in the middle of an exam. The user gets one sentence, and no recording is lost.
@Suite(.serialized) struct FullDiskTests {
    private func session(on disk: SmallDisk, encoding: Bool) async throws -> SessionResult {
        let sitting = try await Fixtures.partThree()
        let candidate = Candidate(turns: [:], otherwise: .says(Fixtures.answer("connecting-2")))
        let room = try ReplayRoom(sitting, candidate: candidate, surroundings: .init(tone: nil))
        return try await Session(sitting, in: room, folder: .create(at: disk.path + "/session"), encoding: encoding)
            .run()
    }

    @Test(.needs(SmallDisk.obstacle)) func aDiskThatFillsUpInATakeKeepsEverythingBeforeIt() async throws {
        // Room for two answers of 17 s as WAV (550 KB each), but not for a third.
        let disk = try SmallDisk(kibibytes: 1400)
        let problem = await #expect(throws: Problem.self) { try await session(on: disk, encoding: false) }
        #expect(problem?.kind == .unwritable)
        #expect(problem?.sentence.contains("part3_q3.wav: ") == true, "\(problem?.sentence ?? "")")
        #expect(problem?.sentence.hasSuffix("what was recorded until then is kept in \(disk.path)/session") == true)
        let said = try Fixtures.samples(Fixtures.answer("connecting-2"))
        for take in ["part3_q1.wav", "part3_q2.wav"] {
            let samples = try Fixtures.samples("\(disk.path)/session/takes/\(take)")
            // One second of the prompt, and 0.6 s until the candidate speaks.
            #expect(Array(samples[25_600..<(25_600 + said.count)]) == said, "\(take) is whole")
        }
        // The part of the third answer that reached the disk is playable too.
        let rest = try Fixtures.samples("\(disk.path)/session/takes/part3_q3.wav")
        #expect(rest.count > 3_840)
        #expect(try !SessionLog.lines(of: "\(disk.path)/session/log.jsonl").isEmpty)
    }

    /// An encoder without room leaves the take unchanged and no partial file. The candidate sees the problem until a
    /// later take is stored, and the result reports it in any case.
    @Test(arguments: [(2, false), (3, true)])
    func aTakeThatCannotBeEncodedStaysAsItIs(_ question: Int, _ isTrouble: Bool) async throws {
        let folder = try TemporaryFolder()
        let sitting = try await Fixtures.partThree()
        let views = Views()
        let room = ObservedRoom(
            room: try ReplayRoom(sitting, candidate: TestShelf.candidate), watch: views.add)
        let session = try SessionFolder.create(at: folder.path + "/session")
        // A folder is in the place that the encoder wants to write to.
        let name = "part3_q\(question)"
        try FileManager.default.createDirectory(
            atPath: "\(session.takes)/\(name).opus.part", withIntermediateDirectories: true)
        let result = try await Session(sitting, in: room, folder: session).run()
        let sentence = "the answer is kept as \(session.takes)/\(name).wav"
        #expect(result.outcome == .withdrawn)
        #expect(result.problem?.kind == .unwritable)
        #expect(result.problem?.sentence.hasSuffix(sentence) == true)
        #expect(result.takes.count == 3)
        for take in result.takes {
            #expect(take.file == "takes/part3_q\(take.order)." + (take.order == question ? "wav" : "opus"))
        }
        #expect(try Fixtures.samples("\(session.takes)/\(name).wav").count > 16_000)
        let last = try #require(views.all.last)
        #expect(last.exam.stage == .completed && last.storing == 0)
        #expect((last.problem?.hasSuffix(sentence) == true) == isTrouble, "\(last.problem ?? "no problem")")
    }

    @Test func aFolderThatHoldsFilesIsNotUsed() throws {
        let folder = try TemporaryFolder()
        try Data("mine".utf8).write(to: URL(filePath: folder.path + "/mine.txt"))
        let problem = #expect(throws: Problem.self) { try SessionFolder.create(at: folder.path) }
        #expect(problem?.kind == .occupied)
        #expect(folder.names() == ["mine.txt"])
        #expect(!SessionFolder.erase(at: folder.path), "other files are not erased")
        #expect(folder.names() == ["mine.txt"])
    }
}

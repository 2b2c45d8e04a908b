import AudioFiles
import ExamCore
import ExamKit
import Foundation
import Testing
import VirtualDevices

@testable import PulseRoom

/// A whole exam in real time through a real sound server, with a recorded candidate at the microphone.
@Suite(.serialized) struct WholeExam {
    /// Between two lines of the log: the candidate's program takes a moment to start, playing has an end of some 60 ms.
    private static let tolerance = 0.4

    @Test(arguments: SoundServer.Kind.allCases)
    func itIsTheExamOfTheReplayAndNoSampleIsLost(_ kind: SoundServer.Kind) async throws {
        if let obstacle = kind.obstacle {
            Issue.record("\(obstacle)")
            return
        }
        let server = try SoundServer(kind)
        defer { server.stop() }
        let home = try TemporaryFolder()
        let folder = try SessionFolder.create(at: home.path + "/session")
        let result = try await PocketExam.hold(
            PocketExam.sitting(), in: folder, at: .first, of: server)
        #expect(result.outcome == .completed && result.problem == nil)

        let live = try LogLine.all(of: folder.log)
        let replayed = try LogLine.all(of: PocketExam.folder + "/expected.log")
        #expect(live.map(\.what) == replayed.map(\.what))
        #expect(live.map(\.phase) == replayed.map(\.phase))
        #expect(live.map(\.do) == replayed.map(\.do))
        for (pair, expected) in zip(zip(live, live.dropFirst()), zip(replayed, replayed.dropFirst())) {
            let drift = (pair.1.at - pair.0.at) - (expected.1.at - expected.0.at)
            #expect(abs(drift) < Self.tolerance, "\(pair.1.event), \(drift) s off")
        }
        for take in result.takes { try compare(take, in: folder, live) }
    }

    /// What is in the take is what was spoken: its beginning and its end lie as far apart as they were.
    private func compare(_ take: StoredTake, in folder: SessionFolder, _ log: [LogLine]) throws {
        #expect(take.end == "finished" && take.lost == nil)
        let said = try Sounds.samples(PocketExam.answers[take.question]!)
        let heard = try Sounds.samples("\(folder.path)/\(take.file)")
        // The loudest third of a second of either half: tails are soft, and Opus is free with what is soft.
        let begin = Sounds.loudest(5_000, in: said[..<(said.count / 2)])
        let end = Sounds.loudest(5_000, in: said[(said.count / 2)...])
        let first = Sounds.place(said[begin..<(begin + 5_000)], in: heard[...])
        let last = Sounds.place(said[end..<(end + 5_000)], in: heard[...])
        #expect(first.likeness > 0.9 && last.likeness > 0.9, "\(take.question): \(first), \(last)")
        #expect(abs(last.offset - first.offset - (end - begin)) <= 8, "\(take.question): samples are lost in between")
        // The candidate waits half a second and speaks; the take begins when the examiner falls silent.
        let offset = Double(first.offset - begin) / 16_000
        print(take.question, "begins", offset)
    }
}

import ExamCore
import ExamKit
import Foundation
import SessionFolders
import Synchronization
import SystemSupport
import TestSupport
import Testing
import VirtualDevices

@testable import PulseRoom

/// A whole exam in real time through a real sound server, with a recorded candidate at the microphone.
@Suite(.serialized) struct WholeExam {
    @Test(.needs(SoundServer.Kind.pulseAudio.obstacle))
    func onPulseAudioItIsTheExamOfTheReplayAndNoSampleIsLost() async throws {
        try await hold(.pulseAudio)
    }

    @Test(.onlyInCheck, .needs(SoundServer.Kind.pipeWire.obstacle))
    func onPipeWireItIsTheExamOfTheReplay() async throws {
        try await hold(.pipeWire)
    }

    /// The time at which each question's take was opened, by the machine's clock.
    private final class Openings: Sendable {
        let at = Mutex<[Int: Duration]>([:])

        func see(_ view: SessionView) {
            guard let take = view.exam.recording else { return }
            at.withLock { if $0[take.turn] == nil { $0[take.turn] = SteadyClock.now } }
        }
    }

    private func hold(_ kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        defer { server.stop() }
        let home = try TemporaryFolder()
        let folder = try SessionFolder.create(at: home.path + "/session")
        let sitting = try await PocketExam.sitting()
        // A second recorder beside the exam hears the speech with its times.
        let connection = try PulseServer(server.address)
        let witness = Heard()
        let loudspeaker = try Recorder(.monitor("mouth.monitor"), on: connection, report: witness.report)
        defer { loudspeaker.close() }
        let openings = Openings()
        let result = try await PocketExam.hold(
            sitting, in: folder, at: .first, of: server, shown: openings.see)
        #expect(result.outcome == .completed && result.problem == nil)

        // PipeWire promises nothing on a busy machine. Its losses are in the log, and everything else is as in the
        // replay.
        let lost = try PocketExam.expectTheReplaysLog(in: folder)
        if kind == .pulseAudio { #expect(lost == 0) }
        #expect(lost < 1)
        let opened = openings.at.withLock { $0 }
        let whole = result.takes.filter { $0.lost == nil }
        #expect(whole.count * 2 > result.takes.count, "nothing is left to compare")
        for take in whole {
            let turn = try #require(sitting.script.turns.firstIndex { $0.id == take.question })
            try compare(take, in: folder, witness, openedAt: try #require(opened[turn]))
        }
    }

    /// Compares a take with the spoken recording and its time.
    private func compare(_ take: StoredTake, in folder: SessionFolder, _ witness: Heard, openedAt: Duration) throws {
        #expect(take.end == "finished" && take.lost == nil)
        let said = try Sounds.samples(PocketExam.answers[take.question]!)
        let heard = try Sounds.samples("\(folder.path)/\(take.file)")
        // The loudest third of a second of each half, because tails are soft, and Opus alters soft sounds.
        let begin = Sounds.loudest(5_000, in: said[..<(said.count / 2)])
        let end = Sounds.loudest(5_000, in: said[(said.count / 2)...])
        let first = Sounds.place(said[begin..<(begin + 5_000)], in: heard[...])
        var last = Sounds.place(said[end..<(end + 5_000)], in: heard[...])
        // Half a "yes" is too short to find.
        if said.count < 16_000 { last = (first.offset + end - begin, first.likeness) }
        #expect(first.likeness > 0.7 && last.likeness > 0.7, "\(take.question): \(first), \(last)")
        #expect(abs(last.offset - first.offset - (end - begin)) <= 8, "\(take.question): samples are lost in between")
        // The take begins up to a second before it was opened. `opening` is the same moment in the second recorder.
        let opening = witness.count(at: openedAt - (take.record.leadIn?.duration ?? .zero))
        let spoken = Sounds.place(
            said[begin..<(begin + 5_000)], in: witness.now.samples[opening...].prefix(heard.count))
        let offset = Double(first.offset - spoken.offset) / 16
        #expect(abs(offset) < 60, "\(take.question): \(offset) ms off")
    }
}

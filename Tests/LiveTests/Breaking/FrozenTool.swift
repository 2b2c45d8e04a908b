import ExamCore
import Foundation
import Glibc
import SessionFolders
import SystemSupport
import TestSupport
import Testing
import VirtualDevices

/// The program is frozen in an answer (SIGSTOP, like a swapping laptop) and continues. Any skipped sound is reported.
///
/// PulseAudio 16.1 keeps sound that a program doesn't fetch until its stream's queue is full, and the room requests the
/// longest queue. A program that was frozen for 150 s found at least 90 s of sound waiting, without a gap
/// (`ORACY_FREEZE=150000`).
@Suite(
    .serialized,
    .onlyInCheck,
    .needs(SoundServer.Kind.pulseAudio.obstacle))
struct FrozenTool {
    /// Eight seconds without a pause that would end an answer.
    private static let answer = "\(Sounds.fixtures)/answers/home-5.flac"

    @Test(.endsIfItHangs) func speechDuringAFreezeIsInTheTake() async throws {
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        let home = try TemporaryFolder()
        let more = ProcessInfo.processInfo.environment["ORACY_FREEZE"].flatMap { Int($0) }.map { [$0] } ?? []
        try await withThrowingTaskGroup(of: Frozen.self) { group in
            for milliseconds in [500, 3_000, 6_000] + more {
                let seat = try server.addSeat("frozen\(milliseconds)")
                let seated = try ToolSeat(server, seat, home: "\(home.path)/\(milliseconds)")
                group.addTask { try await Self.freeze(.milliseconds(milliseconds), at: seated) }
            }
            // Checked after all have ended, because the check takes processor time that the exams need.
            for frozen in try await group.reduce(into: [], { $0.append($1) }) { try Self.check(frozen) }
        }
    }

    private struct Frozen: Sendable {
        var span: Duration
        var seated: ToolSeat
        /// The time from the exam's beginning to its last word, by the machine's clock.
        var passed: Duration
    }

    private static func freeze(_ span: Duration, at seated: ToolSeat) async throws -> Frozen {
        let candidate = seated.candidate(["towns": answer])
        defer { candidate.leave() }
        let tool = try seated.run(["--part", "3"])
        #expect(await PocketExam.awaitLine("\"event\":\"begin\"", in: seated.folder), "\(tool.complaints)")
        let began = SteadyClock.now
        #expect(await PocketExam.awaitLine("hearing towns", in: seated.folder), "\(tool.complaints)")
        // The moment of the fault, and its duration.
        try await Task.sleep(for: .milliseconds(500))
        tool.signal(SIGSTOP)
        try await Task.sleep(for: span)
        tool.signal(SIGCONT)
        #expect(await PocketExam.awaitLine("processing completed", in: seated.folder), "\(tool.complaints)")
        let passed = SteadyClock.now - began
        #expect(await tool.end() == 0, "\(tool.complaints)")
        return Frozen(span: span, seated: seated, passed: passed)
    }

    private static func check(_ frozen: Frozen) throws {
        let (span, seated, passed) = (frozen.span, frozen.seated, frozen.passed)
        let log = try LogLine.all(of: seated.folder.log)
        let manifest = try #require(try seated.folder.readManifest())
        let take = try #require(manifest.takes.first { $0.end == "finished" })
        let counted = try #require(log.last).at
        let lost = take.lost?.duration ?? .zero
        print("frozen for \(span): \(passed) passed, \(counted) s counted, \(lost) lost", manifest.takes.map(\.end))
        #expect(
            abs(counted - Double(passed.milliseconds) / 1000) < SchedulingTolerance.lineOfALog,
            "the room's time is not the time that passed")
        if log.contains(where: { $0.event.hasPrefix("deviceLost") }) {
            // The attempt was given up with the reason, and the answer was given again.
            #expect(manifest.takes.map(\.end) == ["deviceLost", "finished"])
        } else {
            #expect(manifest.takes.map(\.end) == ["finished"])
            #expect((lost > .zero) == log.contains { $0.event.hasPrefix("soundLost") })
        }
        let heard = try Sounds.samples("\(seated.folder.path)/\(take.file)")
        // Lost sound is replaced by silence: the take is as long as it was open.
        let open = take.closedAt.duration - take.openedAt.duration
        let heardFor = Duration.milliseconds(heard.count / 16)
        #expect(abs((open - heardFor).milliseconds) < 100, "frozen for \(span): \(heardFor) in \(open)")
        // PulseAudio keeps this much sound for a program that doesn't fetch it.
        guard span < .seconds(90) else { return }
        #expect(lost == .zero, "frozen for \(span)")
        let said = try Sounds.samples(answer)
        let begin = Sounds.loudest(5_000, in: said[..<(said.count / 2)])
        let end = Sounds.loudest(5_000, in: said[(said.count / 2)...])
        let first = Sounds.place(said[begin..<(begin + 5_000)], in: heard[...])
        let last = Sounds.place(said[end..<(end + 5_000)], in: heard[...])
        #expect(first.likeness > 0.9 && last.likeness > 0.9, "frozen for \(span): \(first), \(last)")
        let missing = end - begin - (last.offset - first.offset)
        #expect(abs(missing) <= 8, "frozen for \(span): \(missing) samples are missing")
    }
}

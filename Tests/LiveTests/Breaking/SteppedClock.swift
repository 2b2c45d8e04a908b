import ExamCore
import Foundation
import SessionFolders
import SystemSupport
import TestSupport
import Testing
import VirtualDevices

/// A machine whose clock is changed during an exam. No time in an exam depends on that clock.
@Suite(
    .serialized,
    .onlyInCheck,
    .needs(SoundServer.Kind.pulseAudio.obstacle),
    .needs(FalseTime.obstacle))
struct SteppedClock {
    /// The lines after which the clock is set, and the steps. A busy machine may delay a line, so the smallest step is
    /// an hour.
    private static let steps = [("hearing where", "-3600"), ("preparing", "86400"), ("hearing towns", "-172800")]
    private static let tolerance = 1.0

    @Test(.endsIfItHangs) func aClockThatIsSetBackAndForthChangesNothing() async throws {
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        let home = try TemporaryFolder()
        let seated = try ToolSeat(server, home: home.path)
        let offset = home.path + "/offset"
        // At first ten days ahead: the session's date shows that the tool uses this clock.
        try "864000\n".write(toFile: offset, atomically: true, encoding: .utf8)
        let library = try FalseTime.build(in: home.path)
        let place = ToolSeat.Place(environment: ["LD_PRELOAD": library, "FALSE_TIME": offset])
        let candidate = seated.candidate()
        defer { candidate.leave() }
        let tool = try seated.run(on: place)
        for (words, step) in Self.steps {
            #expect(await PocketExam.awaitLine(words, in: seated.folder), "\(words): \(tool.complaints)")
            try "\(step)\n".write(toFile: offset, atomically: true, encoding: .utf8)
        }
        #expect(await tool.end() == 0, "\(tool.complaints)")
        let record = try #require(try seated.folder.readRecord())
        let began = try #require(WallTime(utc: record.startedAt))
        #expect(began.secondsSince1970 - WallTime.now.secondsSince1970 > 9 * 86_400, "the tool saw the real time")

        let live = LogLine.withoutGaps(try LogLine.all(of: seated.folder.log))
        let replayed = LogLine.withoutGaps(try LogLine.all(of: PocketExam.folder + "/expected.log"))
        #expect(live.map(\.what) == replayed.map(\.what))
        #expect(live.map(\.phase) == replayed.map(\.phase))
        #expect(live.map(\.do) == replayed.map(\.do))
        for (pair, expected) in zip(zip(live, live.dropFirst()), zip(replayed, replayed.dropFirst())) {
            let drift = (pair.1.at - pair.0.at) - (expected.1.at - expected.0.at)
            #expect(abs(drift) < Self.tolerance, "\(pair.1.event), \(drift) s off")
        }
        let manifest = try #require(try seated.folder.readManifest())
        #expect(manifest.outcome == .completed && manifest.takes.allSatisfy { $0.end == "finished" && $0.lost == nil })
    }
}

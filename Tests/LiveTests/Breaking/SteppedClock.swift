import ExamKit
import Foundation
import Testing
import VirtualDevices

/// A machine whose clock is set while an exam is held: nothing of an exam is counted by it.
@Suite(
    .serialized,
    .enabled(if: SoundServer.Kind.pulseAudio.obstacle == nil, "\(SoundServer.Kind.pulseAudio.obstacle ?? "")"),
    .enabled(if: FalseTime.compiler != nil, "the clock cannot be set for one program: apt-get install gcc"))
struct SteppedClock {
    /// When the clock is set, and to what; a busy machine may hold a line up, and the least step is an hour.
    private static let steps = [("hearing where", "-3600"), ("preparing", "86400"), ("hearing towns", "-172800")]
    private static let tolerance = 1.0

    @Test(.timeLimit(.minutes(2))) func aClockThatIsSetBackAndForthChangesNothing() async throws {
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        let home = try TemporaryFolder()
        let seated = try ToolSeat(server, home: home.path)
        let offset = home.path + "/offset"
        // Ten days ahead to begin with: the session's own date tells that the tool believes it.
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

/// Tells one program another time of day, as if somebody had set the machine's clock: a small library of our own that is
/// loaded before all others. Debian's `libfaketime` 0.9.10 cannot: with it the tool stands still before its first word.
enum FalseTime {
    /// The system's C compiler, or the one that comes with Swift.
    static var compiler: String? {
        ["/usr/bin/cc", "/opt/swift/usr/bin/clang", "/usr/bin/clang"].first { access($0, X_OK) == 0 }
    }

    /// - Returns: the library's path.
    static func build(in folder: String) throws -> String {
        try source.write(toFile: folder + "/false-time.c", atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(filePath: try #require(compiler))
        process.arguments = ["-shared", "-fPIC", "-O1", "-o", folder + "/false-time.so", folder + "/false-time.c"]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return folder + "/false-time.so"
    }

    /// The offset is a file's text, in seconds; it is read each time, so it can be changed while the program runs. Clocks
    /// that are never set (CLOCK_MONOTONIC, CLOCK_BOOTTIME) stay as they are.
    private static let source = """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        static long offset(void) {
            char text[32] = {0};
            const char *path = getenv("FALSE_TIME");
            int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
            if (file < 0) return 0;
            if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
            close(file);
            return atol(text);
        }

        int clock_gettime(clockid_t clock, struct timespec *now) {
            int failed = syscall(SYS_clock_gettime, clock, now);
            if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset();
            return failed;
        }

        int gettimeofday(struct timeval *now, void *zone) {
            struct timespec t;
            clock_gettime(CLOCK_REALTIME, &t);
            now->tv_sec = t.tv_sec;
            now->tv_usec = t.tv_nsec / 1000;
            return 0;
        }

        time_t time(time_t *now) {
            struct timespec t;
            clock_gettime(CLOCK_REALTIME, &t);
            if (now) *now = t.tv_sec;
            return t.tv_sec;
        }
        """
}

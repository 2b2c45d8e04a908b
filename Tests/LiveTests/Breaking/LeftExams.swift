import ExamCore
import Foundation
import Glibc
import SessionFolders
import TestSupport
import Testing
import VirtualDevices
import Waiting

/// Exams whose program is ended in a way that it can notice, such as a signal. They are saved, and resumed later.
@Suite(
    .serialized,
    .needs(SoundServer.Kind.pulseAudio.obstacle))
struct LeftExams {
    private static let questions = ["name", "where", "library"]

    private static func stored(_ seated: ToolSeat) throws -> StoredSession {
        let frozen = try seated.folder.frozenExam()
        let script = ExamScript.assemble(frozen.format, frozen.paper, options: frozen.options).script
        return StoredSession(folder: seated.folder, script: try #require(script))
    }

    /// Holds the first part at a seat, ends the tool in the middle of the second answer, and resumes.
    private static func hold(
        _ seated: ToolSeat, on place: ToolSeat.Place = .init(), _ end: (BreakableTool) -> Void
    ) async throws {
        let name = seated.seat.microphone
        let candidate = seated.candidate()
        defer { candidate.leave() }
        let tool = try seated.run(["--part", "1"], on: place)
        #expect(await PocketExam.awaitLine("hearing where", in: seated.folder), "\(name): \(tool.complaints)")
        // In the middle of the answer: the file has more than 0.7 s of it. A second is 16,000 samples, or 32,000 bytes.
        #expect(
            await Patience.wait {
                var file = stat()
                return stat("\(seated.folder.path)/takes/part1_q2.wav", &file) == 0 && file.st_size > 32_000 * 7 / 10
            }, "\(name)")
        end(tool)
        #expect(await tool.end() == 75, "\(name)")
        let sentence = tool.complaints.last ?? ""
        #expect(sentence.hasSuffix("continue: oracy resume \(seated.folder.path)"), "\(name): \(tool.complaints)")
        let left = try #require(try seated.folder.readManifest())
        #expect(left.status == .inProgress && left.takes.map(\.end) == ["finished", "deviceLost"], "\(name)")
        #expect(left.takes.last?.duration.duration ?? .zero > .milliseconds(500), "\(name)")
        let committed = try stored(seated).check(after: [])

        let again = try seated.resume()
        #expect(await again.end() == 0, "\(name): \(again.complaints)")
        try stored(seated).checkCompleted(questions, after: committed)
    }

    @Test(.endsIfItHangs) func signalsAndAHangUpSaveTheExamAndItIsResumed() async throws {
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        let home = try TemporaryFolder()
        try await withThrowingTaskGroup { group in
            for (name, signal) in [("TERM", SIGTERM), ("HUP", SIGHUP), ("INT", SIGINT)] {
                let seated = try ToolSeat(server, server.addSeat(name), home: home.path + "/\(name)")
                group.addTask { try await Self.hold(seated) { $0.signal(signal) } }
            }
            let seated = try ToolSeat(server, server.addSeat("hang-up"), home: home.path + "/hang-up")
            let window = try TerminalLine()
            group.addTask { try await Self.hold(seated, on: window.place) { _ in window.close() } }
            try await group.waitForAll()
        }
    }

    @Test(.endsIfItHangs) func aSecondProcessIsRefusedAndTheFirstGoesOnUndisturbed() async throws {
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        let home = try TemporaryFolder()
        let seated = try ToolSeat(server, home: home.path)
        let candidate = seated.candidate()
        defer { candidate.leave() }
        let first = try seated.run(["--part", "1"])
        #expect(await PocketExam.awaitLine("hearing where", in: seated.folder), "\(first.complaints)")
        let path = seated.folder.path
        for arguments in [["resume", path], ["sessions", "erase", "--yes", path]] {
            let second = try seated.start(arguments)
            #expect(await second.end() == 73)
            #expect(
                second.complaints == ["oracy: \(path): another program is using this session; end it and try again"])
        }
        let third = try seated.run()
        #expect(await third.end() == 73)
        #expect(third.complaints.last?.hasPrefix("oracy: \(path): already holds files; ") == true)
        #expect(await first.end() == 0)
        try Self.stored(seated).checkCompleted(Self.questions, after: [])
        #expect(!seated.log.contains { $0.contains("deviceLost") || $0.contains("soundLost") })
    }
}

/// A terminal's window, whose lines are read and dropped until it is closed.
private final class TerminalLine: @unchecked Sendable {
    let place: ToolSeat.Place
    private let window: Int32
    private let isClosing = DispatchSemaphore(value: 0)

    init() throws {
        // Does the work of `openpty`, which is not visible to Swift: unlocks the new terminal (TIOCSPTLCK), and asks
        // for its number (TIOCGPTN).
        let window = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        var (lock, number): (Int32, Int32) = (0, 0)
        var size = winsize(ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(window, 0x4004_5431, &lock) == 0 && ioctl(window, 0x8004_5430, &number) == 0)
        _ = ioctl(window, UInt(TIOCSWINSZ), &size)
        let path = "/dev/pts/\(number)"
        let screen = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        place = ToolSeat.Place(terminal: (path, screen))
        self.window = window
        Thread.detachNewThread { [isClosing] in
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while isClosing.wait(timeout: .now() + .milliseconds(5)) == .timedOut {
                while read(window, &bytes, bytes.count) > 0 {}
            }
            Glibc.close(screen)
            Glibc.close(window)  // The last descriptor: programs at the terminal get a hangup.
        }
    }

    func close() { isClosing.signal() }
}

import Foundation
import Glibc
import Testing

/// Runs the built tool like a user.
struct Tool {
    struct Result {
        var code: Int32
        var output: String
        var errors: String
    }

    /// The tool beside this test's program: a debug build.
    static let debug = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "oracy").path

    /// The release build that `make thorough` makes; nil if the tests run without it.
    static let release = ProcessInfo.processInfo.environment["ORACY_RELEASE"]

    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "AudioFixtures").path

    /// The environment of the clock under which `Tests/days` runs the tests. The tool gets the same one.
    private static let daysClock = ProcessInfo.processInfo.environment.filter {
        ProcessInfo.processInfo.environment["FAKETIME"] != nil
            && ($0.key == "LD_PRELOAD" || $0.key == "TZ" || $0.key.hasPrefix("FAKETIME"))
    }

    /// - Parameters:
    ///   - home: The home folder of the tool's user.
    ///   - input: The text that the user types on a terminal; nil for no terminal.
    ///   - started: Called with the process's id, at once.
    static func run(
        _ arguments: [String], tool: String = debug, home: String, input: PseudoTerminal? = nil,
        environment: [String: String] = [:], started: (pid_t) -> Void = { _ in }
    ) throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: tool)
        process.arguments = arguments
        process.environment = ["HOME": home, "PATH": "/usr/bin:/bin", "ORACY_PROMPTS": fixtures + "/prompts"]
            .merging(Self.daysClock) { $1 }.merging(environment) { $1 }
        let folder = home + "/.oracy-test"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // Files instead of pipes: a pipe that is not read while the tool runs would fill up and block it.
        let files = [folder + "/output", folder + "/errors"]
        for file in files { try Data().write(to: URL(filePath: file)) }
        process.standardInput = input?.handle ?? FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: files[0])
        process.standardError = FileHandle(forWritingAtPath: files[1])
        try process.run()
        started(process.processIdentifier)
        process.waitUntilExit()
        let texts = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
        return Result(code: process.terminationStatus, output: texts[0], errors: texts[1])
    }
}

/// A terminal at which something has been typed already.
final class PseudoTerminal {
    let handle: FileHandle
    private let keyboard: Int32

    init(typing text: String) throws {
        // Opens a terminal like `openpty`, which Swift can't see: unlocks the new terminal (TIOCSPTLCK) and gets its
        // number (TIOCGPTN).
        keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (Int32, Int32) = (0, 0)
        try #require(ioctl(keyboard, 0x4004_5431, &lock) == 0 && ioctl(keyboard, 0x8004_5430, &number) == 0)
        let screen = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(screen >= 0, "no terminal: \(String(cString: strerror(errno)))")
        handle = FileHandle(fileDescriptor: screen, closeOnDealloc: true)
        try #require(write(keyboard, text, text.utf8.count) == text.utf8.count)
    }

    /// Gives the window a width, and stops echoing what is typed from now on.
    func resize(columns: UInt16) {
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(handle.fileDescriptor, UInt(TIOCSWINSZ), &size)
        var modes = termios()
        tcgetattr(handle.fileDescriptor, &modes)
        modes.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(handle.fileDescriptor, TCSANOW, &modes)
    }

    func type(_ text: String) { _ = write(keyboard, text, text.utf8.count) }

    /// Reads what the terminal shows next. Empty if nothing comes for a tenth of a second.
    func read() -> [UInt8] {
        var ready = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 100) > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            count = max(0, Glibc.read(keyboard, buffer.baseAddress, buffer.count))
        }
    }

    deinit { close(keyboard) }
}

/// A user's home folder that is removed at the end of the test.
final class Home: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "oracy-home-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let url = URL(filePath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
        return url.path
    }
}

import Foundation
import Glibc
import Testing

/// The built tool, run as a user runs it.
struct Tool {
    struct Result {
        var code: Int32
        var output: String
        var errors: String
    }

    /// Beside this very test's program: a debug build.
    static let debug = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "oracy").path

    /// The release build that `make thorough` makes; nil where the tests are run without it.
    static let release = ProcessInfo.processInfo.environment["ORACY_RELEASE"]

    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "AudioFixtures").path

    /// The clock under which `Tests/days` runs the tests: the tool has the same one.
    private static let daysClock = ProcessInfo.processInfo.environment.filter {
        ProcessInfo.processInfo.environment["FAKETIME"] != nil
            && ($0.key == "LD_PRELOAD" || $0.key == "TZ" || $0.key.hasPrefix("FAKETIME"))
    }

    /// - Parameters:
    ///   - home: where the tool finds its user's folders.
    ///   - input: what its user types, on a terminal; nil: nobody is there.
    ///   - started: is given the process's id, at once.
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
        // Files, not pipes: a pipe that nobody reads while the tool runs would fill up and hold it.
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
        // As `openpty` does it, which Swift does not see: unlock the new terminal (TIOCSPTLCK), ask its number (TIOCGPTN).
        keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (Int32, Int32) = (0, 0)
        try #require(ioctl(keyboard, 0x4004_5431, &lock) == 0 && ioctl(keyboard, 0x8004_5430, &number) == 0)
        let screen = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        handle = FileHandle(fileDescriptor: screen, closeOnDealloc: true)
        try #require(write(keyboard, text, text.utf8.count) == text.utf8.count)
    }

    deinit { close(keyboard) }
}

/// A user's home that is gone when the test is over.
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

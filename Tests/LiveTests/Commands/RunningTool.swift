import Foundation
import Glibc
import Testing
import Waiting

@testable import VirtualDevices

/// `oracy` as a child process, with its output so far.
final class RunningTool: Sendable {
    /// Keeps the folder with the output.
    private let booth: Booth
    private let command: Command
    /// The writing end of the input pipe, or -1 if the tool has no keys.
    private let keys: Int32

    init(_ booth: Booth, _ arguments: [String], typing: Bool, settings: [String: String]) throws {
        self.booth = booth
        let environment = booth.environment.merging(settings) { _, new in new }
        let pipe = "\(booth.server.den.folder)/\(UUID().uuidString).keys"
        if typing {
            try #require(mkfifo(pipe, 0o600) == 0)
            keys = open(pipe, O_RDWR | O_CLOEXEC)
        } else {
            keys = -1
        }
        // The shell opens the pipe and becomes the tool.
        let script = "cd \"$HOME\"; exec oracy \"$@\" < " + (typing ? pipe : "/dev/null")
        command = try booth.server.den.begin("sh", ["-c", script, "oracy"] + arguments, environment: environment)
    }

    deinit {
        if keys >= 0 { close(keys) }
        command.process.kill()
    }

    var pid: pid_t { command.process.pid }
    var output: String { text(command.output) }
    var errors: String { text(command.errors) }
    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    func type(_ line: String) { _ = write(keys, line + "\n", line.utf8.count + 1) }

    func signal(_ number: Int32) { command.process.signal(number) }

    /// Waits until it has printed this text, `count` times.
    func says(_ words: String, count: Int = 1) async -> Bool {
        await Patience.wait {
            (output + errors).components(separatedBy: words).count > count || hasEnded
        } && (output + errors).components(separatedBy: words).count > count
    }

    var hasEnded: Bool { command.process.status != nil }

    /// Waits for the end.
    ///
    /// - Returns: The exit code. Nil if it did not end in time, or a signal killed it.
    @discardableResult
    func end() async -> Int32? {
        _ = await Patience.wait { hasEnded }
        return code
    }

    var code: Int32? { command.process.status.flatMap { $0 & 0x7F == 0 ? $0 >> 8 : nil } }

    private func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}

import Foundation
import Glibc
import SystemSupport
import Waiting

@testable import VirtualDevices

/// The real `oracy-server`, started with only these options and this environment. It ends with this process, however
/// this process ends.
///
/// Calls block, so they need a thread of their own (`onThread`).
final class OperatedServer: Sendable {
    let den: Den
    private let process: ChildProcess
    private let said: String
    private let errors: String

    /// - Parameters:
    ///   - arguments: The options. `FOLDER` in them is the den's folder.
    ///   - name: The name of its output files, different for each server of a den.
    init(_ arguments: [String], environment: [String: String] = [:], in den: Den, name: String = "server") throws {
        self.den = den
        (said, errors) = ("\(den.folder)/\(name).said", "\(den.folder)/\(name).errors")
        try? FileManager.default.removeItem(atPath: said)
        try? FileManager.default.removeItem(atPath: errors)
        process = try den.start(
            Self.program, arguments.map { $0.replacing("FOLDER", with: den.folder) },
            environment: ["HOME": den.folder].merging(
                environment.mapValues { $0.replacing("FOLDER", with: den.folder) }
            ) {
                $1
            },
            streams: .init(output: said, errors: errors))
    }

    var pid: Int { Int(process.pid) }

    /// Waits until it listens.
    ///
    /// - Returns: The address that it prints.
    func address() throws -> String {
        let line = Patience.poll {
            output.hasSuffix("/\n") || process.status != nil ? output : nil
        }
        guard let line, line.hasSuffix("/\n") else { throw Problem(.unavailable, "it did not start: \(log)") }
        return String(line.dropLast(2))
    }

    func port() throws -> Int { Int(try address().split(separator: ":").last!)! }

    /// Waits for its end.
    ///
    /// - Returns: Its exit code and its standard error.
    func end() throws -> (code: Int32, message: String) {
        guard let status = process.wait(until: .now + .seconds(120)), status & 0x7F == 0 else {
            throw Problem(.unavailable, "it did not end, or a signal ended it")
        }
        return (status >> 8, log.trimmingCharacters(in: .newlines))
    }

    var isRunning: Bool { process.status == nil }

    func kill() { process.kill() }

    /// Sends SIGTERM.
    func terminate() { process.signal(SIGTERM) }

    /// Sends SIGTERM, and waits for the exit code.
    @discardableResult
    func stop() throws -> Int32 {
        terminate()
        return try end().code
    }

    var output: String { (try? String(contentsOfFile: said, encoding: .utf8)) ?? "" }
    /// Standard error.
    var log: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }
    var lines: [String] { log.split(separator: "\n").map(String.init) }

    /// The server's program, which lies beside this test's program.
    static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "oracy-server").path
}

/// Runs a test with a den of its own. The servers that are started in it end with the den.
func withDen(_ body: @escaping @Sendable (Den) throws -> Void) async throws {
    try await onThread {
        let den = try Den()
        defer { den.clear() }
        try den.write(Data(RunningServer.secret.utf8), to: "secret")
        guard chmod(den.folder + "/secret", 0o600) == 0 else { throw Problem(.unwritable, "secret") }
        try body(den)
    }
}

/// Starts a server with invalid options, and waits for its end.
func refusal(
    _ arguments: [String], environment: [String: String] = [:], in den: Den
) throws -> (code: Int32, message: String) {
    try OperatedServer(arguments, environment: environment, in: den, name: "refused").end()
}

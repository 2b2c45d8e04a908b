import Foundation
import Glibc
import Synchronization
import SystemSupport
import Waiting

@testable import VirtualDevices

/// `oracy-server` in a process of its own, beside others with the same database and bucket. Tests kill it, stop it and
/// start it again.
///
/// It ends with this process, however this process ends. Calls block, so they need a thread of their own (`onThread`).
final class ServerProcess: Sendable {
    /// The node's name, as in `--node`.
    let name: String
    /// The node's data folder, which survives the process.
    let folder: String
    private let backend: NodesBackend

    private struct Running {
        var process: ChildProcess?
        var port = 0
        var starts = 0
    }

    private let running = Mutex(Running())

    init(_ name: String, _ backend: NodesBackend) {
        self.name = name
        self.backend = backend
        folder = backend.folder + "/" + name
    }

    var port: Int { running.withLock { $0.port } }
    var url: String { "http://127.0.0.1:\(port)" }

    /// Starts the server, and waits until it listens.
    func start() throws {
        try running.withLock { running in
            running.starts += 1
            let said = "\(folder)-\(running.starts).said"
            let process = try backend.den.start(
                Self.program,
                backend.arguments + ["--data", folder, "--node", name, "--node-url", "http://\(name).example"],
                environment: backend.environment, streams: .init(output: said, errors: "\(folder).errors"))
            // A debug build on a busy machine takes seconds to start.
            let line = Patience.poll {
                let text = (try? String(contentsOfFile: said, encoding: .utf8)) ?? ""
                return text.hasSuffix("/\n") || process.status != nil ? text : nil
            }
            guard let port = line?.split(separator: ":").last.flatMap({ Int($0.dropLast(2)) }) else {
                process.kill()
                throw Problem(.unavailable, "\(name) did not start: \(errors)")
            }
            (running.process, running.port) = (process, port)
        }
    }

    /// Sends SIGKILL, and returns when the process is dead.
    func kill() { running.withLock { $0.process?.kill() } }

    /// Stops its tasks and timers until `thaw`.
    func freeze() { running.withLock { $0.process?.signal(SIGSTOP) } }

    func thaw() { running.withLock { $0.process?.signal(SIGCONT) } }

    /// Sends SIGTERM, and waits for the end.
    ///
    /// - Returns: The exit code. Nil if it did not end in time, or a signal ended it.
    func terminate() -> Int32? {
        running.withLock { running in
            running.process?.signal(SIGTERM)
            guard let status = running.process?.wait(until: .now + Patience.limit) else { return nil }
            return status & 0x7F == 0 ? status >> 8 : nil
        }
    }

    /// Deletes the data of a dead node.
    func loseDisk() throws { try FileManager.default.removeItem(atPath: folder) }

    /// The standard error of all its processes.
    var errors: String { (try? String(contentsOfFile: "\(folder).errors", encoding: .utf8)) ?? "" }

    /// The server's program, which lies beside this test's program.
    private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "oracy-server").path
}

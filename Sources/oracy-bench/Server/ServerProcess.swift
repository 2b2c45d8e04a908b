import Foundation
import Glibc
import Synchronization

/// A running `oracy-server` with its own folder, and its figures from the system and from itself.
final class ServerProcess {
    static let secret = "a secret of the benchmark, long enough for HS256"

    let folder: String
    let port: Int
    private let child: Child

    /// The process to end together with this program.
    private static let running = Mutex<pid_t>(0)

    /// Starts the server and waits until it listens.
    ///
    /// - Parameters:
    ///   - folder: a new one.
    ///   - database: PostgreSQL's address; nil: SQLite.
    ///   - options: further ones of its own.
    ///   - environment: further variables.
    init(
        _ program: String, folder: String, prompts: String, database: String? = nil, options: [String] = [],
        environment: [String: String] = [:]
    ) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        self.folder = folder + "/data"
        try Self.secret.write(toFile: folder + "/secret", atomically: true, encoding: .utf8)
        let printed = Pipe()
        child = Child(
            [
                program, "--port", "0", "--data", self.folder, "--token-secret", folder + "/secret",
                "--stored-megabytes", "10000",
            ] + (database.map { ["--database", $0] } ?? []) + options,
            environment: ["HOME": folder, "PATH": "/usr/bin:/bin", "ORACY_PROMPTS": prompts].merging(environment) { $1 }
        ) { bytes, _ in
            printed.fileHandleForWriting.write(Data(bytes))
        }
        let pid = child.pid
        Self.running.withLock { $0 = pid }
        atexit {
            ServerProcess.running.withLock { if $0 > 0 { kill($0, SIGKILL) } }
        }
        let line = String(decoding: printed.fileHandleForReading.availableData, as: UTF8.self)
        guard let number = line.split(separator: ":").last.flatMap({ Int($0.filter(\.isNumber)) }) else {
            fail("the server did not print its address")
        }
        port = number
    }

    /// Ends the server like a service. Exams in progress are saved.
    func stop() {
        kill(child.pid, SIGTERM)
        let deadline = clockNow() + 60
        while child.ended() == nil {
            guard clockNow() < deadline else {
                child.stop()
                say("the server did not end within a minute")
                break
            }
            usleep(50_000)
        }
        Self.running.withLock { $0 = 0 }
    }

    var complaints: String { child.complaints }

    // MARK: - Figures from the system

    /// The user and system time so far in seconds (proc(5): fields 14 and 15 of `stat`).
    var cpu: Double {
        let text = (try? String(contentsOfFile: "/proc/\(child.pid)/stat", encoding: .utf8)) ?? ""
        // The second field is a name in parentheses.
        let fields = text.drop { $0 != ")" }.split(separator: " ").dropFirst()
        let ticks = fields.dropFirst(11).prefix(2).compactMap { Double($0) }.reduce(0, +)
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The resident memory at present in MB.
    var memory: Double { status("VmRSS:") }
    /// The peak of the resident memory in MB.
    var peakMemory: Double { status("VmHWM:") }

    private func status(_ field: String) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(child.pid)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
        return (Double(line.filter(\.isNumber)) ?? 0) / 1024
    }

    // MARK: - Figures from the server

    /// Returns the server's own figures by name and label.
    func metrics() -> [String: Double] {
        var socket = ClientSocket(port: port)
        socket.send(Array("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8))
        while true {
            var end = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&end, 1, 10_000) > 0, socket.receive() else { fail("/metrics does not answer") }
            guard let (_, body) = socket.answer() else { continue }
            return Dictionary(
                body.split(separator: "\n").compactMap { line in
                    let words = line.split(separator: " ")
                    return words.count == 2 ? Double(words[1]).map { (String(words[0]), $0) } : nil
                }
            ) { $1 }
        }
    }

    /// Returns the number of log lines about lost sound or a lost client, in exams that it holds or saved.
    func losses() -> Int {
        let exams = folder + "/exams"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: exams)) ?? []
        return names.reduce(0) { sum, name in
            let log = (try? String(contentsOfFile: "\(exams)/\(name)/log.jsonl", encoding: .utf8)) ?? ""
            return sum
                + log.split(separator: "\n").count {
                    $0.contains("soundLost") || ($0.contains("deviceLost") && !$0.contains("roomClosed"))
                }
        }
    }

    /// Returns the paths of the answers' recordings that it has stored.
    func recordings() -> [String] {
        let audio = folder + "/audio"
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: audio)) ?? []
        return names.map { "\(audio)/\($0)" }.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }
}

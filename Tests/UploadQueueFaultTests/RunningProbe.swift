import Foundation
import Glibc
import Testing
import Waiting

/// A running `queue-probe`, alone or under another program. If it hangs, only its own process group is killed.
final class RunningProbe: Sendable {
    struct End: Sendable {
        /// The exit code; nil if a signal ended it.
        var code: Int32?
        var signal: Int32?
        var output: String
        var errors: String

        /// The ids of the uploads that the queue has accepted, as far as they were printed.
        var acknowledged: [UUID] {
            output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { line in
                let words = line.split(separator: " ")
                return words.first == "ACK" && words.count == 4 ? UUID(uuidString: String(words[1])) : nil
            }
        }

        /// Whether the probe ended without a trap: silently with exit code 0, or with the code of an expected failure
        /// and one sentence. It should do so for any state of the disk.
        var isOrderly: Bool {
            switch code {
            case 0: errors.isEmpty
            case 65, 73, 74: errors.split(separator: "\n").count == 1
            default: false
            }
        }
    }

    /// The probe beside this test's program.
    static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "queue-probe").path

    let pid: pid_t
    private let files: (output: String, errors: String)

    /// - Parameters:
    ///   - scratch: The folder for its output, for one probe at a time.
    ///   - outer: The command line of a program that runs the probe. Empty if it runs alone.
    ///   - program: The program to run instead: another build of the probe, or a compiler.
    init(
        _ words: [String], scratch: String, under outer: [String] = [], environment: [String: String] = [:],
        program: String = RunningProbe.program
    ) throws {
        files = (scratch + "/output", scratch + "/errors")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, files.output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, files.errors, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        let all = outer + [program] + words
        let settings = ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }
        let arguments = all.map { strdup($0) } + [nil]
        let variables = settings.map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in arguments + variables { free(word) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, all[0], &actions, &attributes, arguments, variables)
        try #require(code == 0, "\(all[0]): \(String(cString: strerror(code)))")
        self.pid = pid
    }

    /// Runs a probe to its end.
    static func run(
        _ words: [String], scratch: String, under outer: [String] = [], environment: [String: String] = [:],
        program: String = RunningProbe.program
    ) async throws -> End {
        try await RunningProbe(words, scratch: scratch, under: outer, environment: environment, program: program).end()
    }

    /// Waits for its end. Kills it if it hangs, together with the program that runs it.
    func end() async throws -> End {
        let (pid, files) = (pid, files)
        return try await Faults.runBlocking {
            var status: Int32 = 0
            if Patience.poll({ waitpid(pid, &status, WNOHANG) != 0 ? true : nil }) == nil {
                kill(-pid, SIGKILL)
                waitpid(pid, &status, 0)
            }
            let signal = status & 0x7F
            return End(
                code: signal == 0 ? (status >> 8) & 0xFF : nil, signal: signal == 0 ? nil : signal,
                output: Self.text(files.output), errors: Self.text(files.errors))
        }
    }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}

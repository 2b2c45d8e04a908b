import Foundation
import Glibc
import Synchronization

/// A private folder with a leash on every program started in it. Both end when the den is cleared or this process ends.
///
/// The leash is a shell that reads from a socket whose other end only this process holds. When this process ends in any
/// way, SIGKILL included, the shell removes the folder and kills its own process group, which every program here joins.
/// `PR_SET_PDEATHSIG` would not work: it acts when the *thread* that started the child ends, and Dispatch's threads
/// come and go.
final class Den: Sendable {
    let folder: String
    private let leash: ChildProcess
    /// This process's end of the leash.
    private let hand: Int32
    private let commandCount = Atomic<Int>(0)

    /// - Throws: `Unavailable` if /tmp can't be written, or no program can be started.
    init() throws {
        // TMPDIR isn't used, because a socket's path has at most 107 bytes (unix(7)).
        var template = Array("/tmp/oracy-sound-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Unavailable("No folder could be made in /tmp: \(String(cString: strerror(errno))).")
        }
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        var ends: [Int32] = [-1, -1]
        guard mkdir("\(folder)/home", 0o700) == 0, Self.connect(&ends) else {
            throw Unavailable("\(folder) cannot be used: \(String(cString: strerror(errno))).")
        }
        defer { close(ends[0]) }
        do {
            leash = try ChildProcess(
                "sh", ["-c", #"trap '' TERM INT HUP; read -r end; rm -rf "$1"; kill -KILL 0"#, "leash", folder],
                environment: ["PATH": Programs.searchPath],
                streams: .init(input: ends[0], output: "/dev/null", errors: "/dev/null"), group: 0)
        } catch {
            close(ends[1])
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
        hand = ends[1]
        self.folder = folder
    }

    /// Makes two connected sockets that no child inherits, not even one that another thread is starting at this moment.
    /// With a pipe that is impossible, because Swift's Glibc lacks `pipe2`.
    private static func connect(_ ends: inout [Int32]) -> Bool {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        return socketpair(AF_UNIX, kind, 0, &ends) == 0
    }

    /// Starts a daemon that lives here. Its output goes to `<program>.log`.
    func start(_ program: String, _ arguments: [String], environment: [String: String]) throws -> ChildProcess {
        let log = log(of: program)
        return try ChildProcess(
            program, arguments, environment: environment, streams: .init(output: log, errors: log), group: leash.pid,
            carriesSound: program != "wireplumber")
    }

    /// Starts a program under test on the leash, so that it doesn't outlive a test that is killed. It gets the usual
    /// priority of a user's program.
    func start(
        _ program: String, _ arguments: [String], environment: [String: String], streams: ChildProcess.Streams
    ) throws -> ChildProcess {
        try ChildProcess(program, arguments, environment: environment, streams: streams, group: leash.pid)
    }

    func log(of program: String) -> String { "\(folder)/\(program).log" }

    /// Starts a command whose output and error output are kept in files.
    func begin(_ program: String, _ arguments: [String], environment: [String: String]) throws -> Command {
        let number = commandCount.add(1, ordering: .relaxed).newValue
        let output = "\(folder)/\(number)-\(program).out"
        let errors = "\(folder)/\(number)-\(program).err"
        let process = try ChildProcess(
            program, arguments, environment: environment, streams: .init(output: output, errors: errors),
            group: leash.pid, carriesSound: program != "pactl")
        return Command(
            line: ([program] + arguments).joined(separator: " "), process: process, output: output, errors: errors)
    }

    /// Writes a file here and returns its path.
    @discardableResult
    func write(_ data: Data, to name: String) throws -> String {
        let file = URL(filePath: folder).appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return file.path
    }

    /// Removes the folder and ends the leash. Everything started here must have ended.
    func clear() {
        leash.kill()
        close(hand)
        try? FileManager.default.removeItem(atPath: folder)
    }
}

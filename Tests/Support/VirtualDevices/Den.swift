import Foundation
import Glibc
import Synchronization

/// A private folder, and a leash on every program started in it: both go when the den is cleared, or when we die.
///
/// The leash is a shell that reads from a socket whose other end only this process holds. When this process ends,
/// in whatever way, SIGKILL included, the shell removes the folder and kills its own process group, which every program here
/// joins. `PR_SET_PDEATHSIG` would not do: it strikes when the *thread* that started the child ends, and Dispatch's come and go.
final class Den: Sendable {
    let folder: String
    private let leash: ChildProcess
    /// Our end of the leash.
    private let hand: Int32
    private let commandCount = Atomic<Int>(0)

    /// - Throws: `Unavailable` where /tmp cannot be written or no program can be started.
    init() throws {
        // Not TMPDIR: a socket's path has at most 107 bytes (unix(7)).
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

    /// Two connected sockets that no child inherits, not even one started at this moment by another thread: a pipe cannot be
    /// had so, as Swift's Glibc lacks `pipe2`.
    private static func connect(_ ends: inout [Int32]) -> Bool {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        return socketpair(AF_UNIX, kind, 0, &ends) == 0
    }

    /// A daemon that lives here; what it says goes to `<program>.log`.
    func start(_ program: String, _ arguments: [String], environment: [String: String]) throws -> ChildProcess {
        let log = log(of: program)
        return try ChildProcess(
            program, arguments, environment: environment, streams: .init(output: log, errors: log), group: leash.pid,
            carriesSound: program != "wireplumber")
    }

    /// A program under test, on the leash like the others, so that it does not outlive a test that is killed; it gets the
    /// processor as any program of a user does.
    func start(
        _ program: String, _ arguments: [String], environment: [String: String], streams: ChildProcess.Streams
    ) throws -> ChildProcess {
        try ChildProcess(program, arguments, environment: environment, streams: streams, group: leash.pid)
    }

    func log(of program: String) -> String { "\(folder)/\(program).log" }

    /// Starts a command whose output and words on stderr are kept in files of their own.
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

    /// Removes the folder and lets go of the leash; everything started here must have ended.
    func clear() {
        leash.kill()
        close(hand)
        try? FileManager.default.removeItem(atPath: folder)
    }
}

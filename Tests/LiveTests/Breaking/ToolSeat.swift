import Foundation
import Glibc
import Waiting

@testable import SessionFolders
@testable import VirtualDevices

/// A candidate who uses the built tool. They have a seat, a home of their own, and a session's folder in it.
struct ToolSeat: Sendable {
    let server: SoundServer
    let seat: Seat
    let home: String
    /// The session's folder, which may not exist yet.
    var folder: SessionFolder

    /// The tool's debug build, which lies beside this test's program.
    static let tool = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "oracy").path

    init(_ server: SoundServer, _ seat: Seat = .first, home: String, session: String? = nil) throws {
        self.server = server
        self.seat = seat
        self.home = home
        folder = SessionFolder(path: session ?? home + "/session")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    }

    /// Starts the pocket exam as practice.
    func run(_ more: [String] = [], on place: Place = Place()) throws -> BreakableTool {
        let exam = ["--format", PocketExam.folder + "/format.json", "--paper", PocketExam.folder + "/paper.json"]
        let words = ["run", "--consent", "--practice", "--output", folder.path]
        return try start(words + exam + devices + more, on: place)
    }

    func resume(on place: Place = Place()) throws -> BreakableTool {
        try start(["resume", folder.path] + devices, on: place)
    }

    /// The surroundings in which a tool is started.
    struct Place {
        /// A terminal's path. The tool is the leader of its session, and writes its lines there.
        var terminal: (path: String, file: Int32)?
        var environment: [String: String] = [:]
    }

    /// Returns the same candidate with another session.
    func with(session path: String) -> ToolSeat {
        var other = self
        other.folder = SessionFolder(path: path)
        return other
    }

    private var devices: [String] { ["--microphone", seat.microphone, "--loudspeaker", seat.loudspeaker] }

    func start(_ arguments: [String], on place: Place = Place()) throws -> BreakableTool {
        let name = "\(home)/\(UUID().uuidString)"
        let isExam = ["run", "resume"].contains(arguments[0])
        let arguments = arguments + (isExam && place.terminal == nil ? ["--plain"] : [])
        let environment = [
            "HOME": home, "PATH": Programs.searchPath, "LC_ALL": "C.UTF-8", "TERM": "xterm",
            "PULSE_SERVER": server.address, "ORACY_PROMPTS": Sounds.fixtures + "/prompts",
        ].merging(place.environment) { _, new in new }
        // setsid(1) makes the terminal the tool's own and becomes the tool.
        let (program, words) = place.terminal == nil ? (Self.tool, []) : ("setsid", ["--ctty", Self.tool])
        let output = place.terminal?.path ?? name + ".out"
        let process = try server.den.start(
            program, words + arguments, environment: environment,
            streams: .init(input: place.terminal?.file, output: output, errors: name + ".err"))
        return BreakableTool(process: process, output: output, errors: name + ".err")
    }

    func candidate(_ answers: [String: String] = PocketExam.answers) -> RecordedCandidate {
        RecordedCandidate(at: seat, of: server, log: folder.log, answers: answers)
    }

    var log: [String] { PocketExam.log(folder) }
}

/// The running tool, and its output after its end.
struct BreakableTool: Sendable {
    let process: ChildProcess
    let output: String
    let errors: String

    /// Waits for the end.
    ///
    /// - Returns: The exit code; negative for a signal that killed it. Nil if it did not end in time, and was killed.
    func end() async -> Int32? {
        let hasEnded = await Patience.wait { process.status != nil }
        if !hasEnded { process.kill() }
        return hasEnded ? code : nil
    }

    func signal(_ number: Int32) { process.signal(number) }

    /// Kills the tool, and returns when it is dead.
    func kill() { process.kill() }

    /// The exit code. Nil while it runs.
    var code: Int32? { process.status.map { $0 & 0x7f == 0 ? $0 >> 8 : -($0 & 0x7f) } }

    /// The lines of its standard error.
    var complaints: [String] {
        let text = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }
}

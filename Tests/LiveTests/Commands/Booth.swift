import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import Waiting

@testable import SessionFolders
@testable import VirtualDevices

/// Oracy's commands as a user has them: the built tool, with a home, a sound server and a seat of its own.
///
/// The suites are in extensions of `Commands`, one for each command.
@Suite(
    .serialized,
    .needs(SoundServer.Kind.pulseAudio.obstacle))
enum Commands {}

/// A place for running commands. Everything in it ends with its last reference, or with this process.
final class Booth: Sendable {
    let server: SoundServer
    private let room = Mutex<[Command]>([])

    /// The folder of the debug build, which is the folder of this test's program.
    static let toolFolder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path

    init() throws {
        server = try SoundServer(.pulseAudio)
        // Short names, so that commands fit into 80 columns.
        try FileManager.default.createSymbolicLink(
            atPath: home + "/pocket", withDestinationPath: PocketExam.folder)
    }

    deinit { server.stop() }

    var home: String { server.den.folder + "/home" }
    var data: String { home + "/.local/share/oracy" }
    var shelf: String { data + "/sessions" }

    var environment: [String: String] {
        var environment = server.environment
        environment["PATH"] = Self.toolFolder + ":" + environment["PATH"]!
        return environment
    }

    /// `oracy run` with the exam of half a minute.
    static let pocketExam = ["run", "--format", "pocket/format.json", "--paper", "pocket/paper.json"]

    // MARK: - Commands

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - typing: Whether there is a pipe to type into. Otherwise standard input is empty.
    ///   - settings: Further environment variables.
    func start(_ arguments: [String], typing: Bool = false, settings: [String: String] = [:]) throws -> RunningTool {
        try RunningTool(self, arguments, typing: typing, settings: settings)
    }

    /// Runs a command to its end.
    func run(_ arguments: String..., settings: [String: String] = [:]) async throws -> RunningTool {
        let tool = try start(arguments, settings: settings)
        _ = await tool.end()
        return tool
    }

    // MARK: - Sound

    /// Plays white noise at this level in dBFS into the room, until the booth ends.
    func fill(noise level: Double) throws {
        var seed: UInt32 = 1
        let peak = Float(pow(10, level / 20) * 3.0.squareRoot())
        let hiss = (0..<(20 * 16_000)).map { _ -> Float in
            seed = seed &* 1_664_525 &+ 1_013_904_223
            return peak * (Float(seed >> 8) / Float(1 << 23) - 1)
        }
        // Ten minutes, longer than a test on a busy machine. A microphone whose noise ends counts as muted.
        let command = try play(Array(repeatElement(hiss, count: 30).joined()))
        room.withLock { $0.append(command) }
        // The noise must be heard before anything is measured, however busy the machine is.
        let isHeard = try Patience.poll {
            try server.record(from: Seat.first.microphone) {}.contains { $0 != 0 } ? true : nil
        }
        #expect(isHeard == true)
    }

    /// Plays a recorded answer, amplified by this many dB. Samples over full scale are clipped.
    @discardableResult
    func speak(_ answer: String, gain: Double = 0) throws -> Command {
        let factor = Float(pow(10, gain / 20))
        return try play(Sounds.samples("\(Sounds.fixtures)/answers/\(answer).flac").map { $0 * factor })
    }

    private func play(_ samples: [Float]) throws -> Command {
        let file = "\(server.den.folder)/\(UUID().uuidString).wav"
        try Sounds.write(samples.map { min(max($0, -1), 32_767 / 32_768) }, to: file)
        return try server.den.begin(
            "paplay", ["--device=mouth", "--latency-msec=500", file], environment: server.environment)
    }

    /// Lets the microphone hear the loudspeaker with this gain in dB.
    func leak(_ gain: Int) throws {
        try server.pactl(
            "load-module", "module-loopback", "source=loudspeaker.monitor", "sink=mouth", "latency_msec=40",
            "source_dont_move=true", "sink_dont_move=true")
        let inputs = try server.pactl("list", "short", "sink-inputs").split(separator: "\n")
        let loopback = try #require(inputs.last { $0.contains("module-loopback") || $0.contains("\t-\t") })
        try server.pactl("set-sink-input-volume", String(loopback.split(separator: "\t")[0]), "\(gain)dB")
    }

    // MARK: - Sessions

    /// The ids of all sessions, the oldest first.
    var sessions: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: shelf)) ?? []).sorted()
    }

    /// Waits for the one session that is not among `known`.
    func newSession(besides known: [String] = []) async throws -> SessionFolder {
        var new: [String] = []
        _ = await Patience.wait {
            new = sessions.filter { !known.contains($0) }
            return new.count == 1 && PocketExam.log(SessionFolder(path: "\(shelf)/\(new[0])")).count > 0
        }
        return SessionFolder(path: "\(shelf)/\(try #require(new.first, "no session began"))")
    }

    /// Seats the recorded candidate for the session that begins now.
    ///
    /// - Returns: The session, and the candidate, who leaves when the reference is released.
    func seatCandidate(besides known: [String] = []) async throws -> (SessionFolder, SeatedCandidate) {
        let folder = try await newSession(besides: known)
        return (folder, SeatedCandidate(server, folder))
    }
}

/// A recorded candidate who leaves with the last reference.
final class SeatedCandidate: Sendable {
    private let candidate: RecordedCandidate

    init(_ server: SoundServer, _ folder: SessionFolder) {
        candidate = RecordedCandidate(at: .first, of: server, log: folder.log, answers: PocketExam.answers)
    }

    deinit { candidate.leave() }
}

/// Returns the permissions of a file in octal, such as `600`. Nil if there is no file.
func permissions(_ path: String) -> String? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.posixPermissions] as? Int).map { String($0, radix: 8) }
}

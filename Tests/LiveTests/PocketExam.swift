import ExamKit
import Foundation
import SessionFolders
import Testing
import VirtualDevices
import Waiting

@testable import PulseRoom

/// A whole exam in half a minute, with the format, paper and recordings of the scenario `pocket-exam`.
enum PocketExam {
    static let folder = "\(Sounds.fixtures)/scenarios/pocket-exam"

    static var scenario: Scenario { get throws { try Scenario(folder: folder) } }

    /// The sound files that answer the questions, as in the scenario.
    static let answers = [
        "name": "short-name", "where": "short", "library": "yes", "place-card": "sentence-4", "towns": "sentence-1",
    ].mapValues { "\(Sounds.fixtures)/answers/\($0).flac" }

    static func sitting(
        _ voice: ExaminerVoice = ExaminerVoice(recordings: ["\(Sounds.fixtures)/prompts"], cache: "/proc/nowhere")
    ) async throws -> PreparedExam {
        let scenario = try scenario
        return try await PreparedExam(scenario.format, scenario.paper, options: scenario.options, voice: voice)
    }

    /// Holds the exam at a seat.
    ///
    /// - Parameters:
    ///   - shown: Called with every view.
    ///   - meanwhile: Runs beside the exam, with the room's controls.
    static func hold(
        _ sitting: PreparedExam,
        in folder: SessionFolder,
        at seat: Seat,
        of server: SoundServer,
        resuming: Bool = false,
        answers: [String: String] = answers,
        deviceTimeout: Duration = .seconds(30),
        meanwhile: @escaping @Sendable (PulseAudioRoom.Controls) async throws -> Void = { _ in },
        shown: @escaping @Sendable (SessionView) -> Void = { _ in }
    ) async throws -> SessionResult {
        var settings = PulseAudioRoom.Settings()
        settings.server = server.address
        settings.microphone = seat.microphone
        settings.loudspeaker = seat.loudspeaker
        settings.deviceTimeout = deviceTimeout
        settings.hearsExaminer = false
        settings.shown = shown
        let room = try await PulseAudioRoom(settings)
        let controls = room.controls
        let candidate = RecordedCandidate(at: seat, of: server, log: folder.log, answers: answers)
        defer { candidate.leave() }
        let disturbance = Task { try await meanwhile(controls) }
        let session =
            resuming
            ? try Session(resuming: sitting, in: room, folder: folder)
            : try Session(sitting, in: room, folder: folder)
        let result = try await session.run()
        disturbance.cancel()
        try await disturbance.value
        return result
    }

    /// Expects the events, phases and commands of the replay, with the same times in between.
    ///
    /// - Returns: The seconds of lost sound in the log, which delay the events after them.
    @discardableResult static func expectTheReplaysLog(
        in session: SessionFolder, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Double {
        let live = try LogLine.all(of: session.log)
        let replayed = LogLine.withoutGaps(try LogLine.all(of: folder + "/expected.log"))
        let lost = live.filter { $0.event.hasPrefix("soundLost") }
        let missing = lost.compactMap { Double($0.event.split(separator: " ").last ?? "") }.reduce(0, +)
        let kept = LogLine.withoutGaps(live.filter { !$0.event.hasPrefix("soundLost") })
        #expect(kept.map(\.what) == replayed.map(\.what), sourceLocation: sourceLocation)
        #expect(kept.map(\.phase) == replayed.map(\.phase), sourceLocation: sourceLocation)
        #expect(kept.map(\.do) == replayed.map(\.do), sourceLocation: sourceLocation)
        for (pair, expected) in zip(zip(kept, kept.dropFirst()), zip(replayed, replayed.dropFirst())) {
            let drift = (pair.1.at - pair.0.at) - (expected.1.at - expected.0.at)
            #expect(
                abs(drift) < SchedulingTolerance.betweenLines + missing, "\(pair.1.event), \(drift) s off",
                sourceLocation: sourceLocation)
        }
        return missing
    }

    /// Returns the log's lines so far.
    static func log(_ folder: SessionFolder) -> [String] {
        let text = (try? String(contentsOfFile: folder.log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Waits for a line of the log with all of these words.
    static func awaitLine(_ words: String..., in folder: SessionFolder) async -> Bool {
        await Patience.wait { log(folder).contains { line in words.allSatisfy(line.contains) } }
    }
}

/// A parsed line of a log.
struct LogLine: Decodable {
    var at: Double
    var event: String
    var phase: String
    var `do`: [String]

    static func all(of path: String) throws -> [LogLine] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst().map {
            try JSONDecoder().decode(LogLine.self, from: Data($0.utf8))
        }
    }

    /// The event without its own time.
    var what: String { event.hasPrefix("voice") ? String(event.prefix { $0 != " " }) : event }

    /// Leaves out short gaps in speech. Whether 0.15 s between two words count depends on the block boundaries.
    static func withoutGaps(_ lines: [LogLine]) -> [LogLine] {
        var kept: [LogLine] = []
        for line in lines {
            if line.event.hasPrefix("voiceBegan"), kept.last?.event.hasPrefix("voiceEnded") == true {
                kept.removeLast()
            } else {
                kept.append(line)
            }
        }
        return kept
    }
}

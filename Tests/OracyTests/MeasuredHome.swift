import Assessment
import ExamKit
import Foundation
import Glibc
import SessionFolders
import Testing

/// A shelf of completed sessions with assessments made by hand.
final class MeasuredHome {
    let home: Home
    /// The environment of the tool besides its home, for example of a `ToolClock`.
    var environment: [String: String] = [:]
    var shelf: SessionShelf { SessionShelf(path: home.path + "/.local/share/oracy/sessions") }

    /// A replayed exam of Part 2 with one answer. It is made once.
    private static let template: Result<Home, any Error> = Result { () throws -> Home in
        let home = try Home()
        atexit {
            if let home = try? MeasuredHome.template.get() { try? FileManager.default.removeItem(atPath: home.path) }
        }
        let scenario = "\(Tool.fixtures)/scenarios/withdraws-in-part-2"
        try #require(Tool.run(["replay", scenario, "--output", "\(home.path)/session"], home: home.path).code == 0)
        return home
    }

    init() throws {
        home = try Home()
        try home.write("", to: ".local/share/oracy/sessions/.here")
    }

    /// Makes a session that began at a time (`2026-11-20T18:05:00Z`).
    ///
    /// - Parameters:
    ///   - speaking: The fraction of 100 s that was speech; nil for a session without measurements.
    ///   - isPart: Whether the session says that it is only Part 2. Otherwise it is a whole exam, left in Part 2.
    @discardableResult
    func session(
        _ startedAt: String, speaking: Double? = 0.8, word: DeliveryWord? = .steady, gates: [DeliveryGate] = [],
        isPart: Bool = false
    ) throws -> SessionFolder {
        let id = startedAt.prefix(16).replacing("T", with: "-").replacing(":", with: "") + "-ielts-style"
        let folder = "\(shelf.path)/\(id)"
        try FileManager.default.copyItem(atPath: Self.template.get().path + "/session", toPath: folder)
        let session = try SessionFolder.open(at: folder)
        if !isPart {
            let exam = URL(filePath: session.exam)
            var frozen = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: exam)) as? [String: Any])
            var options = try #require(frozen["options"] as? [String: Any])
            options["part"] = nil
            frozen["options"] = options
            try JSONSerialization.data(withJSONObject: frozen).write(to: exam)
        }
        try session.write(
            SessionRecord(
                startedAt: startedAt, consent: .init(words: "yes", givenAt: startedAt), folders: [],
                voice: ExaminerVoice.espeak))
        if let speaking {
            try session.write(Self.assessment(of: session, speaking: speaking, word: word, gates: gates))
        }
        return session
    }

    private static func assessment(
        of session: SessionFolder, speaking: Double, word: DeliveryWord?, gates: [DeliveryGate]
    ) throws -> ExamAssessment {
        var measures = DeliveryMeasures()
        measures.answers = 1
        (measures.span, measures.pauseTime) = (100, 100 * (1 - speaking))
        (measures.pauses, measures.runs, measures.longestPause) = (10, 11, 3.2)
        measures.syllables = 290
        let profile = DeliveryProfile(
            calibration: "made/1 0000", measures: measures, gates: gates, word: gates.isEmpty ? word : nil,
            reliability: 0.8)
        let manifest = try #require(try session.readManifest())
        let answers = manifest.takes.map { take in
            let timeline = SoundTimeline(
                duration: 102, span: TimeRange(1, 101), silences: [TimeRange(14.2, 17.4)], syllables: [2], peaks: [0.5])
            return AnswerAssessment(
                record: take.record, recording: take.sha256,
                sound: MeasuredSound(timeline: timeline, speechOverNoise: 40, clippedShare: 0), delivery: profile)
        }
        return ExamAssessment(
            session: session.name, answers: answers, parts: [PartDelivery(part: 2, delivery: profile)],
            delivery: profile)
    }

    func oracy(_ arguments: String...) throws -> Tool.Result {
        try Tool.run(arguments, home: home.path, environment: environment)
    }

    /// Returns the output of a command with `--json`.
    func json(_ arguments: String...) throws -> Any {
        let result = try Tool.run(arguments + ["--json"], home: home.path)
        #expect(result.code == 0, "\(result.errors)")
        return try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: shelf.path).filter { $0 != ".here" }.sorted() }
    }
}

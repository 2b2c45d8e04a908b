import DetectorScores
import FoundationEssentials
import VoiceActivity

/// `oracy-bench vad`: compares this detector with others, on the same recordings and in one run.
struct DetectorComparison {
    var options: DetectorOptions
    /// For each fold, a detector that was fitted without its speakers; empty to use the exam's own.
    private var folds: [FittedDetector] = []

    /// An answer ends after 1.5 s of silence, and a sound under 0.1 s isn't a voice. These rules helped every detector.
    static let rules = DetectorScore.Rules(trailing: 1.5, minBurst: 0.1)

    init(_ words: [String]) {
        options = DetectorOptions(words)
        if let folder = options.folds {
            folds = (0..<Folds.count).map { FittedDetector(path: "\(folder)/fold-\($0).json") }
        }
    }

    private func detector(for recording: Condition.Recording) -> VoiceDetector {
        folds.isEmpty ? VoiceDetector() : folds[recording.fold].detector
    }

    func run() throws {
        guard let data = try LabelledSound(top) else {
            fail(
                "no labelled speech: ../shared/data/vad is not there, and ORACY_VAD_DATA names no folder with it",
                code: 66)
        }
        let conditions = data.conditions.filter { options.rows.map($0.title.contains) ?? true }
        if conditions.isEmpty { fail("no row's title contains \(options.rows ?? "")", code: 64) }
        let versions = options.peers.isEmpty ? [] : Peer.versions()
        let before = try HeardBefore(versions: versions)
        var report = DetectorReport(command: options.command, peers: options.peers.map(\.title), versions: versions)
        for condition in conditions {
            say("… \(condition.title)")
            try report.rows.append(hear(condition, before, &report.absences))
        }
        print(report.text)
        if let path = options.output { try report.write(to: path) }
        if let path = options.json { try report.json().write(toFile: path, atomically: true, encoding: .utf8) }
    }

    /// Hears one condition, so that little disk space and memory is needed at a time.
    private func hear(
        _ condition: Condition, _ before: HeardBefore, _ absences: inout [String: Peer.Absence]
    ) throws -> DetectorRow {
        let folder = work + "/sounds"
        defer { try? files.removeItem(atPath: folder) }
        let recordings = try condition.write(to: folder)
        let ours = try oracyHears(recordings, in: folder, silence: Self.rules.trailing, detector: detector(for:))
        var row = DetectorRow(
            condition: condition, files: recordings.count, oracy: scores(recordings, ours.speech),
            declared: scores(recordings, ours.speech, ours.declaredEnds),
            declaredEnds: ours.declaredEnds?.values.reduce(0) { $0 + $1.count } ?? 0)
        // A peer that is absent once stays absent.
        for peer in options.peers where absences[peer.title] == nil {
            switch try before.hear(recordings, with: peer, in: folder) {
            case .success(let speech): row.peers[peer.title] = scores(recordings, speech)
            case .failure(let absence): absences[peer.title] = absence
            }
        }
        return row
    }

    /// - Parameter declaredEnds: nil to derive the ends by the rules.
    private func scores(
        _ recordings: [Condition.Recording], _ speech: [String: Speech], _ declaredEnds: [String: [Double]]? = nil
    ) -> SpeakerScores {
        var scores = SpeakerScores(Self.rules)
        for recording in recordings {
            scores.add(
                speaker: recording.speaker,
                labelled: recording.labelled,
                heard: speech[recording.name] ?? Speech([]),
                declared: declaredEnds.map { $0[recording.name] ?? [] },
                duration: recording.duration
            )
        }
        return scores
    }
}

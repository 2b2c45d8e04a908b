import DetectorScores
import ExamCore
import Foundation
import Testing

/// The figures equal those of `score_vad.py` for random speech, to nine places.
@Suite(.enabled(if: Script.canRun, "no score_vad.py beside the labelled data, or no python3 with numpy: NOT COMPARED"))
struct SameAsTheScript {
    @Test(arguments: 1...4, [0, 0.1]) func scores(seed: UInt64, minBurst: Double) throws {
        try compare(Exam(seed: seed), DetectorScore.Rules(minBurst: minBurst), withDeclaredEnds: false)
    }

    @Test(arguments: 5...6) func scoresOfOtherRules(seed: UInt64) throws {
        let rules = DetectorScore.Rules(trailing: 0.8, longPause: 1.2, minBurst: 0.2)
        try compare(Exam(seed: UInt64(seed)), rules, withDeclaredEnds: false)
    }

    @Test(arguments: 7...9) func scoresOfDeclaredEnds(seed: UInt64) throws {
        try compare(Exam(seed: seed), DetectorScore.Rules(minBurst: 0.1), withDeclaredEnds: true)
    }

    private func compare(_ exam: Exam, _ rules: DetectorScore.Rules, withDeclaredEnds: Bool) throws {
        let folder = try Folder()
        for (name, recording) in exam.recordings { try folder.write(recording.emptyWAV, to: name + ".wav") }
        let labels = try folder.write(Data(exam.csv(\.labelled).utf8), to: "labels.csv")
        let heard = try folder.write(Data(exam.csv(\.heard).utf8), to: "heard.csv")
        let ends = try folder.write(Data(exam.endsCSV.utf8), to: "ends.csv")
        let words = [
            "--json", "--wavs", folder.path, "--labels", labels, "--pred", heard, "--trailing", "\(rules.trailing)",
            "--long-pause", "\(rules.longPause)", "--min-burst", "\(rules.minBurst)",
        ]
        let text = try Script("score_vad.py").run(words + (withDeclaredEnds ? ["--endpoints", ends] : []))
        let json = Data(text.replacing("NaN", with: "null").utf8)
        let theirs = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])

        let (labelTable, heardTable) = try (
            Speech.byFile(csv: exam.csv(\.labelled)), Speech.byFile(csv: exam.csv(\.heard))
        )
        let endTable = try Speech.declaredEnds(csv: exam.endsCSV)
        var ours = DetectorScore(rules)
        for (name, recording) in exam.recordings {
            ours.add(
                labelled: labelTable[name] ?? Speech([]), heard: heardTable[name] ?? Speech([]),
                declared: withDeclaredEnds ? endTable[name] ?? [] : nil, duration: recording.duration)
        }
        let figures: [String: Double?] = [
            "files": Double(ours.recordings), "frames": Double(ours.frames), "turns": Double(ours.turns),
            "eligible": Double(ours.eligibleTurns), "P": ours.precision, "R": ours.recall, "F1": ours.f1,
            "FAR": ours.falseAlarms, "miss": ours.missedSpeech, "premature": ours.premature, "missed": ours.missed,
            "early": ours.early, "late": ours.late, "false_start": ours.falseStart,
            "lat_med_ms": ours.latencyMedian.map { $0 * 1_000 }, "lat_p95_ms": ours.latencyP95.map { $0 * 1_000 },
            "onset_med_ms": ours.onsetMedian.map { $0 * 1_000 }, "onset_p95_ms": ours.onsetP95.map { $0 * 1_000 },
            "lat_max_ms": ours.latencies.max().map { $0 * 1_000 },
            "no_onset": Double(ours.recordings - ours.onsets.count),
        ]
        for (name, figure) in figures {
            let their = (theirs[name] as? NSNumber)?.doubleValue
            #expect(figure == nil ? their == nil : abs(figure! - (their ?? .nan)) < 1e-9, "\(name)")
        }
        // Otherwise only zeros would be compared.
        #expect(ours.premature > 0 && ours.missed > 0 && ours.early > 0 && ours.late > 0 && ours.falseStart > 0)
    }
}

/// Recordings with speech, and a poor detector's findings: clipped, dropped, torn, and with extra clicks.
private struct Exam {
    struct Recording {
        var samples: Int
        var labelled: [Range<Double>] = []
        var heard: [Range<Double>] = []
        var ends: [Double] = []

        var duration: Double { Double(samples) / 16_000 }

        /// A header that announces the samples. The script reads no more of a file.
        var emptyWAV: Data {
            func word(_ value: Int, _ size: Int) -> Data { Data((0..<size).map { UInt8(value >> (8 * $0) & 255) }) }
            let size = 2 * samples
            var header = Data("RIFF".utf8)
            header += word(36 + size, 4)
            header += Data("WAVEfmt ".utf8)
            for (value, size) in [(16, 4), (1, 2), (1, 2), (16_000, 4), (32_000, 4), (2, 2), (16, 2)] {
                header += word(value, size)
            }
            header += Data("data".utf8)
            header += word(size, 4)
            return header
        }
    }

    var recordings: [String: Recording] = [:]

    init(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        func seconds(_ range: ClosedRange<Double>) -> Double {
            (Double.random(in: range, using: &dice) * 1_000).rounded() / 1_000
        }
        func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &dice) < part }
        for number in 0..<30 {
            var recording = Recording(samples: 0)
            var at = seconds(0.2...1.5)
            if chance(0.3) { recording.heard.append(0.05..<(0.05 + seconds(0.02...0.3))) }
            for _ in 0..<Int.random(in: 0...9, using: &dice) {
                let word = at..<(at + seconds(0.05...1.6))
                recording.labelled.append(word)
                let heard =
                    max(
                        0, word.lowerBound + seconds(-0.2...0.2))..<max(
                        word.lowerBound + 0.2, word.upperBound + seconds(-0.3...0.5))
                if chance(0.9) { recording.heard.append(heard) }
                if chance(0.1) { recording.heard.append(heard.upperBound..<(heard.upperBound + seconds(0...0.2))) }
                at = word.upperBound + (chance(0.2) ? seconds(1.4...4) : seconds(0.05...1.2))
                if chance(0.15) { recording.heard.append((at - 0.3)..<(at - 0.3 + seconds(0.01...0.2))) }
                if chance(0.3) { recording.ends.append(max(0, at + seconds(-1...1))) }
            }
            recording.samples = Int(at * 16_000) + Int.random(in: 0...48_000, using: &dice)
            recordings["file-\(number)"] = recording
        }
    }

    func csv(_ speech: (Recording) -> [Range<Double>]) -> String {
        let rows = recordings.flatMap { name, recording in
            speech(recording).map { "\(name),\($0.lowerBound),\($0.upperBound)\n" }
        }
        return "file,start_s,end_s\n" + rows.joined()
    }

    var endsCSV: String {
        "file,end_s\n" + recordings.flatMap { name, recording in recording.ends.map { "\(name),\($0)\n" } }.joined()
    }
}

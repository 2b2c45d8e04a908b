import DetectorScores
import Foundation
import Synchronization
import VoiceActivity

/// `oracy-bench evidence FILE` and `oracy-bench decide FOLDER` (`make train-vad`): a detector's evidence, and its
/// decisions with settings under trial.
///
/// *evidence* reads raw 16-bit samples, 16 kHz mono, from stdin, and writes the numbers of `HeardEvidence` to stdout.
/// FILE contains the `SpeechLikeness`.
///
/// *decide* reads such numbers for all recordings, one after another, from `FOLDER/evidence`, and the facts about the
/// recordings from `FOLDER/recordings.json`. For each line of stdin, a `Trial`, it prints a line with the figures by
/// condition.
enum TriedSettings {
    /// A recording whose evidence is known.
    struct Recording: Codable {
        var condition: String
        /// The recording's fold; −1 if it is in every trial.
        var fold: Int
        /// The labelled stretches in seconds.
        var speech: [[Double]]
        /// The number of frames of 10 ms.
        var frames: Int
    }

    struct Trial: Codable {
        var settings: VoiceDetector.Settings
        /// The fold whose recordings are left out.
        var without: Int?
    }

    static func evidence(_ path: String) throws {
        let likeness = try JSONDecoder().decode(SpeechLikeness.self, from: Data(contentsOf: URL(filePath: path)))
        if !likeness.isWhole { fail("\(path) lacks some of the numbers of likeness", code: 65) }
        let bytes = FileHandle.standardInput.readDataToEndOfFile()
        let samples = bytes.prefix(bytes.count & ~1).withUnsafeBytes { bytes in
            bytes.bindMemory(to: Int16.self).map { Float($0) / 32_768 }
        }
        HeardEvidence(of: samples, likeness: likeness).numbers.withUnsafeBytes {
            FileHandle.standardOutput.write(Data($0))
        }
    }

    static func decide(_ folder: String) throws {
        let recordings = try JSONDecoder().decode(
            [Recording].self, from: Data(contentsOf: URL(filePath: folder + "/recordings.json")))
        let all = try Data(contentsOf: URL(filePath: folder + "/evidence")).withUnsafeBytes {
            [Float]($0.bindMemory(to: Float.self))
        }
        let per = HeardEvidence.numbersPerFrame
        if all.count != recordings.reduce(0, { $0 + $1.frames }) * per {
            fail("\(folder)/evidence does not belong to \(folder)/recordings.json", code: 65)
        }
        var first = 0
        let heard = recordings.map { recording in
            defer { first += recording.frames * per }
            return HeardEvidence(numbers: Array(all[first..<first + recording.frames * per]))
        }
        while let line = readLine() {
            let trial = try JSONDecoder().decode(Trial.self, from: Data(line.utf8))
            let chosen = recordings.indices.filter { trial.without == nil || recordings[$0].fold != trial.without }
            let scores = inParallel(chosen) { score(recordings[$0], heard[$0].changes(trial.settings)) }
            let byCondition = Dictionary(grouping: zip(chosen, scores), by: { recordings[$0.0].condition })
            let figures = byCondition.mapValues { Figures(DetectorScore(of: $0.map(\.1), DetectorComparison.rules)) }
            FileHandle.standardOutput.write(try JSONEncoder().encode(figures) + Data("\n".utf8))
        }
    }

    /// The figures that the tuning weighs against each other: parts of 1, and seconds.
    private struct Figures: Encodable {
        var premature, missed, f1, falseStart, falseAlarms: Double
        /// nil: no end was declared.
        var late: Double?

        init(_ score: DetectorScore) {
            (premature, missed, f1) = (score.premature, score.missed, score.f1)
            (falseStart, falseAlarms, late) = (score.falseStart, score.falseAlarms, score.lateness)
        }
    }

    private static func score(_ recording: Recording, _ changes: [VoiceChange]) -> DetectorScore {
        let samples = recording.frames * 160
        let voices = changes.voices(until: samples)
        var score = DetectorScore(DetectorComparison.rules)
        score.add(
            labelled: Speech(recording.speech.map { $0[0]..<$0[1] }),
            heard: Speech(voices.map { Double($0.lowerBound) / 16_000..<Double($0.upperBound) / 16_000 }),
            duration: Double(recording.frames) / 100)
        return score
    }

    private static func inParallel<Result: Sendable>(
        _ numbers: [Int], _ work: @Sendable (Int) -> Result
    ) -> [Result] {
        let results = Mutex([Result?](repeating: nil, count: numbers.count))
        DispatchQueue.concurrentPerform(iterations: numbers.count) { place in
            let result = work(numbers[place])
            results.withLock { $0[place] = result }
        }
        return results.withLock { $0.map { $0! } }
    }
}

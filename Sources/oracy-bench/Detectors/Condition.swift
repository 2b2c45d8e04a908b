import AudioFiles
import DetectorScores
import Foundation

/// Recordings, changed in one way, that all detectors hear: a row of the report.
struct Condition {
    var title: String
    /// What it is, in the words of the report: the end of a sentence.
    var about: String
    var kind = Kind.answers
    /// Of the recordings that are made, as often as there are seeds.
    var sources: [LabelledRecording]
    /// Numbers from 1 on.
    var seeds = 1
    /// nil where it cannot be made: without speech, say. A condition without it has its recordings as they are.
    var change: ((LabelledRecording, _ seed: Int) -> LabelledRecording?)?

    enum Kind: String {
        case answers
        /// What counts is how late the ends are.
        case lateEnds
        /// Nobody speaks.
        case noiseAlone
    }

    /// One that was written.
    struct Recording {
        /// Its path below the folder that was written to, without `.wav`.
        var name: String
        /// Who speaks, or the noise.
        var speaker: String
        /// 0 to 4, by `Folds`: settings fitted to the four others may be tried on this. 0 for a noise alone.
        var fold: Int
        var labelled: Speech
        /// Seconds.
        var duration: Double
        /// The file's SHA-256.
        var sum: String
    }

    /// Writes its recordings as WAV of 16 bits.
    func write(to folder: String) throws -> [Recording] {
        let folds = Folds.folds(of: sources.map(\.name))
        var recordings: [Recording] = []
        for seed in 1...seeds {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(seed)", withIntermediateDirectories: true)
            for source in sources {
                let changed = change.map { $0(source, seed) } ?? source
                guard let changed else { fail("\(source.name) or the noise of \(title) is silent") }
                // What is as it is has no peak to lower and no bit to round.
                let samples =
                    change == nil
                    ? source.samples.map { Float($0) } : changed.pcm.map { Float($0) / 32_768 }
                let path = "\(folder)/\(seed)/\(source.name).wav"
                try GrowingWAV(path: path).append(samples)
                recordings.append(
                    Recording(
                        name: "\(seed)/\(source.name)", speaker: source.name, fold: folds[source.name]!,
                        labelled: changed.speech, duration: changed.duration, sum: try HeardBefore.sum(ofFile: path)))
            }
        }
        return recordings
    }
}

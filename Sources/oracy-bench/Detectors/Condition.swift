import AudioFiles
import DetectorScores
import Foundation

/// Recordings with a common change that all detectors hear: a row of the report.
struct Condition {
    var title: String
    /// The description for the report: the end of a sentence.
    var about: String
    var kind = Kind.answers
    /// The original recordings. Each is used as often as there are seeds.
    var sources: [LabelledRecording]
    /// The number of seeds, which count from 1.
    var seeds = 1
    /// Changes a recording; returns nil if that is impossible, for example without speech. If this is nil, the
    /// recordings stay as they are.
    var change: ((LabelledRecording, _ seed: Int) -> LabelledRecording?)?

    enum Kind: String {
        case answers
        /// The delay of the ends is compared.
        case lateEnds
        /// No one speaks.
        case noiseAlone
    }

    /// A recording that was written.
    struct Recording {
        /// The path in the output folder, without `.wav`.
        var name: String
        /// The speaker, or the noise.
        var speaker: String
        /// The fold of `Folds`, 0 to 4. Settings that were fitted to the other four may be tried on it. 0 for noise
        /// alone.
        var fold: Int
        var labelled: Speech
        /// In seconds.
        var duration: Double
        /// The SHA-256 of the file.
        var sum: String
    }

    /// Writes the recordings as 16-bit WAV.
    func write(to folder: String) throws -> [Recording] {
        let folds = Folds.folds(of: sources.map(\.name))
        var recordings: [Recording] = []
        for seed in 1...seeds {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(seed)", withIntermediateDirectories: true)
            for source in sources {
                let changed = change.map { $0(source, seed) } ?? source
                guard let changed else { fail("\(source.name) or the noise of \(title) is silent") }
                // An unchanged recording has no peak to lower and no bit to round.
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

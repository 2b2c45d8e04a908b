import Glibc

/// The two features of speech that a calibration uses. Neither grows with length, so an answer of any length can be
/// compared with the single sentences that people marked.
///
/// They were chosen by leaving speakers out (docs/results.md). Of twelve features tried, these two predict the marks as
/// well as all twelve, and they hold in noise, over a telephone and for long answers. A feature is absent if the
/// recording has too little of what it is measured on.
struct DeliveryFeatures {
    private let speech: SpeechFrames

    init(_ speech: SpeechFrames) { self.speech = speech }

    /// The features by their names in a calibration file.
    var values: [String: Double] {
        let all: [(String, Float?)] = [("syllableRate", syllableRate), ("pitchBend", pitchBend)]
        return all.reduce(into: [:]) { values, feature in
            // Four digits, because people may read the file.
            if let value = feature.1, value.isFinite { values[feature.0] = (Double(value) * 10_000).rounded() / 10_000 }
        }
    }

    /// ln of the syllables a second, from the first syllable to the last, including pauses.
    private var syllableRate: Float? {
        guard let first = speech.nuclei.first, let last = speech.nuclei.last, last > first else { return nil }
        return logf(Float(speech.nuclei.count - 1) / (Float(last - first) / 100))
    }

    /// ln of the median bend of the pitch from frame to frame, in semitones. It is small when the voice stands still
    /// while its speaker searches for words.
    private var pitchBend: Float? {
        let voiced = speech.isVoiced
        var semitones = speech.frames.pitches.map { $0 > 0 ? 12 * log2f($0 / 100) : 0 }
        let median = Contour.quantile(voiced.indices.filter { voiced[$0] }.map { semitones[$0] }, 0.5)
        for index in semitones.indices {
            // A pitch an octave too high or too low is a mistake of the tracker.
            if semitones[index] - median > 9 { semitones[index] -= 12 }
            if semitones[index] - median < -9 { semitones[index] += 12 }
        }
        let bends = semitones.indices.dropFirst().dropLast().compactMap { index -> Float? in
            guard voiced[index - 1], voiced[index], voiced[index + 1] else { return nil }
            return abs(semitones[index - 1] - 2 * semitones[index] + semitones[index + 1])
        }
        return bends.isEmpty ? nil : logf(Contour.quantile(bends, 0.5) + 0.003)
    }
}

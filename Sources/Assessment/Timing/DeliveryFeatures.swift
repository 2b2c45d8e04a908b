import Glibc

/// What a calibration weighs: two features of speech that do not grow with its length, so that an answer of any length can be compared with
/// the single sentences that people marked.
///
/// Chosen by leaving speakers out (docs/results.md): of twelve that were tried these two predict the marks as well as all twelve, and hold in
/// noise, over a telephone and for long answers. A feature is absent where the recording has too little of what it is measured on.
struct DeliveryFeatures {
    private let speech: SpeechFrames

    init(_ speech: SpeechFrames) { self.speech = speech }

    /// By name; the names are those of a calibration file.
    var values: [String: Double] {
        let all: [(String, Float?)] = [("syllableRate", syllableRate), ("pitchBend", pitchBend)]
        return all.reduce(into: [:]) { values, feature in
            // Four digits: a file that people may read.
            if let value = feature.1, value.isFinite { values[feature.0] = (Double(value) * 10_000).rounded() / 10_000 }
        }
    }

    /// ln of the syllables a second, from the first to the last of them, pauses included.
    private var syllableRate: Float? {
        guard let first = speech.nuclei.first, let last = speech.nuclei.last, last > first else { return nil }
        return logf(Float(speech.nuclei.count - 1) / (Float(last - first) / 100))
    }

    /// ln of how much the pitch bends from frame to frame, in semitones: a voice that moves, or stands while its speaker searches.
    private var pitchBend: Float? {
        let voiced = speech.isVoiced
        var semitones = speech.frames.pitches.map { $0 > 0 ? 12 * log2f($0 / 100) : 0 }
        let median = Contour.quantile(voiced.indices.filter { voiced[$0] }.map { semitones[$0] }, 0.5)
        for index in semitones.indices {
            // An octave too high or too low is the tracker's mistake.
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

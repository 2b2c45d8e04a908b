import Glibc

/// The features of speech that a calibration uses. No feature grows with length, so an answer of any length can be
/// compared with the single sentences that people marked.
///
/// No feature is fitted to marked speech, so that each means the same for new speakers. Fitted ones, such as the rate
/// of the fitted syllables, do worse on new speakers than on those of the fit (docs/results.md). A feature is absent if
/// the recording has too little of what it is measured on.
struct DeliveryFeatures {
    private let speech: SpeechFrames

    init(_ speech: SpeechFrames) { self.speech = speech }

    /// The features by their names in a calibration file.
    var values: [String: Double] {
        let all: [(String, Float?)] = [
            ("spectralTempo", spectralTempo), ("peakRate", peakRate), ("voiceGaps", voiceGaps),
            ("pitchBend", pitchBend), ("syllableRate", syllableRate),
        ]
        return all.reduce(into: [:]) { values, feature in
            // Four digits, because people may read the file.
            if let value = feature.1, value.isFinite { values[feature.0] = (Double(value) * 10_000).rounded() / 10_000 }
        }
    }

    private var spectralTempo: Float? { speech.span.flatMap { SpectralTempo.of(speech.frames, within: $0) } }

    /// ln of the voiced peaks of loudness a second, from the first to the last, including pauses.
    private var peakRate: Float? {
        guard let first = speech.peaks.first, let last = speech.peaks.last, last > first else { return nil }
        return logf(Float(speech.peaks.count - 1) / (Float(last - first) / 100))
    }

    /// The share of the span in which the voice stops for a quarter of a second or longer. Noise of the room fills
    /// pauses in the loudness, but not pauses in the voice.
    private var voiceGaps: Float? {
        guard let span = speech.span else { return nil }
        let voiced = Contour.runs(speech.isVoiced)
        let gaps = zip(voiced, voiced.dropFirst()).map { $1.lowerBound - $0.upperBound }
        let shortest = Int(DeliveryMeasures.shortestPause * 100)
        return Float(gaps.filter { $0 >= shortest }.reduce(0, +)) / Float(span.count)
    }

    /// ln of the syllables a second, from the first syllable to the last, including pauses. The first
    /// calibration uses it.
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

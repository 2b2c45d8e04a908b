/// A change of level of a whole recording or a part of it.
public enum Loudness: Equatable, Sendable {
    /// Amplified by this many dB. Files still have 16-bit samples, so a quieter one is less precise.
    case gain(Double)
    /// A microphone with too much gain: this fraction of the samples of labelled speech, 0 to 1, exceeds full scale and
    /// is clipped.
    case clipped(Double)
    /// The first labelled stretch, or its first 0.45 s (a word, as in `levels_vad.py`), amplified by this many dB, with
    /// ramps of 10 ms.
    case firstWord(Double)

    /// - Returns: nil without speech if the change applies to speech.
    public func applied(to recording: LabelledRecording) -> LabelledRecording? {
        var changed = recording
        switch self {
        case .gain(let decibels):
            let factor = amplitude(ofDecibels: decibels)
            changed.samples = recording.samples.map { $0 * factor }
        case .clipped(let part):
            let words = recording.speech.stretches.flatMap { recording.samples[recording.place(of: $0)] }
            guard !words.isEmpty else { return nil }
            let loudest = words.map { abs($0) }.sorted()
            let most = loudest[min(Int((1 - part) * Double(loudest.count)), loudest.count - 1)]
            changed.samples = recording.samples.map { min(max($0 / max(most, 1e-9), -1), 1) }
        case .firstWord(let decibels):
            guard let first = recording.speech.stretches.first else { return nil }
            let word = recording.place(of: first.lowerBound..<min(first.upperBound, first.lowerBound + 0.45))
            for index in word {
                let ramp = min(1, Double(min(index - word.lowerBound, word.upperBound - 1 - index)) / 160)
                changed.samples[index] *= amplitude(ofDecibels: decibels * ramp)
            }
        }
        return changed
    }
}

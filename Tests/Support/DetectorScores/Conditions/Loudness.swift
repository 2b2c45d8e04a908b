/// A recording as a whole at another level, or a part of it.
public enum Loudness: Equatable, Sendable {
    /// So many dB louder; 16 bits are what is left of a quiet one.
    case gain(Double)
    /// A microphone that is turned up too far: this part of the samples of labelled speech, from 0 to 1, is over full scale, and
    /// cut off there.
    case clipped(Double)
    /// The first labelled stretch, or its first 0.45 s (a word, as in `levels_vad.py`), so many dB louder, with ramps of 10 ms.
    case firstWord(Double)

    /// - Returns: nil without speech, where it is speech that changes.
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

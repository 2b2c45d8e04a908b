import Glibc

/// A sound other than speech after the last word of each turn, such as a cough or a chair.
public struct SoundAfterTurns: Sendable {
    /// 16 kHz, full scale ±1.
    public var sound: [Double]
    /// The power of the labelled speech relative to that of the sound, in dB.
    public var ratio: Double
    /// The time after the last word in seconds.
    public var delay: Double
    /// The silences that separate turns, in seconds, as in `DetectorScore.Rules`.
    public var longPause: Double

    public init(_ sound: [Double], ratio: Double, delay: Double = 0.5, longPause: Double = 2) {
        self.sound = sound
        self.ratio = ratio
        self.delay = delay
        self.longPause = longPause
    }

    /// - Returns: nil without speech, or if the sound is silent.
    public func applied(to recording: LabelledRecording) -> LabelledRecording? {
        guard let speech = recording.speechPower, sound.power > 0 else { return nil }
        let gain = (speech / sound.power / pow(10, ratio / 10)).squareRoot()
        var changed = recording
        for turn in recording.speech.turns(pausesUnder: longPause) {
            let at = recording.place(of: turn.upperBound + delay)
            for (index, sample) in zip(at..<recording.samples.count, sound) { changed.samples[index] += sample * gain }
        }
        return changed
    }
}

/// A noise and nobody who speaks: all that is heard as speech is wrong.
public enum NoiseAlone {
    /// A file that is shorter is a single sound, a cough say: it comes once in as many seconds.
    private static let single = 3.0

    /// - Parameters:
    ///   - noise: 16 kHz, full scale ±1; goes round.
    ///   - level: of its mean power, dB of full scale; of the sound itself where it comes once in a while.
    ///   - seconds: of the result.
    /// - Returns: nil where the noise is silent.
    public static func recording(_ noise: [Double], named name: String, level: Double, seconds: Double)
        -> LabelledRecording?
    {
        guard noise.power > 0 else { return nil }
        let gain = amplitude(ofDecibels: level) / noise.power.squareRoot()
        let rest = max(0, Int(single * LabelledRecording.rate) - noise.count)
        let round = noise.map { $0 * gain } + [Double](repeating: 0, count: rest)
        let samples = (0..<Int(seconds * LabelledRecording.rate)).map { round[$0 % round.count] }
        return LabelledRecording(name: name, samples: samples, speech: Speech([]))
    }
}

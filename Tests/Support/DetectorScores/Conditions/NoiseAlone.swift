/// Noise without a speaker: everything that is heard as speech is wrong.
public enum NoiseAlone {
    /// The interval in seconds at which a single sound, such as a cough, is repeated. A file that is shorter than this
    /// counts as a single sound.
    private static let single = 3.0

    /// - Parameters:
    ///   - noise: 16 kHz, full scale ±1. It is repeated.
    ///   - level: The level of its mean power in dB of full scale; for a single sound, that of the sound itself.
    ///   - seconds: The length of the result.
    /// - Returns: nil if the noise is silent.
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

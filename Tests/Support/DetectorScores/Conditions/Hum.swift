import Glibc

/// Mains hum, as a bad cable picks it up: 50 Hz and its harmonics up to 1 kHz. The n-th has 1/n of the first one's
/// amplitude.
///
/// The spectrum is that of a saw tooth (6 dB less per octave), like the current of a rectifier. Each harmonic has its
/// own phase.
public struct Hum: Equatable, Sendable {
    /// The power of the labelled speech relative to the hum's, in dB.
    public var ratio: Double

    private static let hertz = 50.0
    private static let harmonics = 20

    public init(ratio: Double) {
        self.ratio = ratio
    }

    /// - Returns: nil without speech.
    public func applied(to recording: LabelledRecording) -> LabelledRecording? {
        guard let speech = recording.speechPower else { return nil }
        var chance = Chance(named: recording.name + "|hum")
        let phases = (1...Self.harmonics).map { _ in Double.random(in: 0..<2 * .pi, using: &chance) }
        // The hum repeats after 1/50 s, that is 320 samples.
        let period = (0..<Int(LabelledRecording.rate / Self.hertz)).map { index in
            zip(1..., phases).reduce(0.0) { sum, harmonic -> Double in
                let (number, phase) = (Double(harmonic.0), harmonic.1)
                let angle: Double = 2 * .pi * Self.hertz * number * Double(index) / LabelledRecording.rate + phase
                return sum + sin(angle) / number
            }
        }
        let gain = (speech / period.power / pow(10, ratio / 10)).squareRoot()
        var changed = recording
        for index in changed.samples.indices { changed.samples[index] += period[index % period.count] * gain }
        return changed
    }
}

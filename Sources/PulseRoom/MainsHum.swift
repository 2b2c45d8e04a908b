import Glibc

/// The hum of the mains in a silent room: 50 or 60 Hz with harmonics.
public struct MainsHum: Codable, Equatable, Sendable {
    /// 50 (Europe, Asia, Africa) or 60 (the Americas, half of Japan).
    public var mainsHz: Int
    /// The RMS of the hum alone in dBFS, −120 to 0.
    public var levelDBFS: Double
    /// The hum's fraction of the noise's power, 0 to 1.
    public var partOfNoise: Double

    /// Ten harmonics: rectifiers hum mostly at even ones, dimmers at all of them.
    private static let harmonics = 10
    /// Returns the width of a harmonic in Hz. A grid stays within 0.2 Hz (ENTSO-E's standard range is ±0.05 Hz, alarms
    /// at ±0.2), which is multiplied by the harmonic. The window adds 1 Hz.
    private static func width(_ harmonic: Int) -> Double { 1 + 0.2 * Double(harmonic) }

    /// Measures the hum in at least 2.048 s of silence; nil if the sound is shorter or digital silence.
    ///
    /// Only the part that exceeds the sound between the harmonics counts as hum, so that the rumble of a room doesn't.
    /// The stronger of 50 and 60 Hz is chosen.
    public init?(in silence: some Collection<Float>) {
        let count = 32_768
        guard silence.count >= count else { return nil }
        let windowed = silence.prefix(count).enumerated().map { index, sample in
            sample * Float(0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(count)))
        }
        let spectrum = Spectrum(of: windowed, count: count)
        func power(_ hertz: Double, _ width: Double) -> Double {
            let bins = Int((hertz - width) * 2.048)...Int((hertz + width) * 2.048)
            return bins.reduce(0) { $0 + spectrum.power($1) }
        }
        func hum(_ mains: Int) -> Double {
            (1...Self.harmonics).reduce(0) { sum, harmonic in
                let (at, width) = (Double(harmonic * mains), Self.width(harmonic))
                let between = max(power(at - 12, width), power(at + 12, width))
                return sum + max(0, power(at, width) - between)
            }
        }
        // From 20 Hz on: a microphone's DC offset isn't noise.
        let whole = (41..<count / 2).reduce(0) { $0 + spectrum.power($1) }
        guard whole > 0 else { return nil }
        mainsHz = hum(50) >= hum(60) ? 50 : 60
        let part = min(hum(mainsHz) / whole, 1)
        partOfNoise = part
        // The factor 2 is for both halves of the spectrum. A Hann window keeps 3/8 of the power.
        levelDBFS = min(Decibels.level(ofPower: 2 * part * whole / Double(count) / Double(count) / 0.375), 0)
    }
}

import ExamCore
import Foundation

/// The sample rate in hertz. `step` is a tenth of a second, one character of a picture.
let sampleRate = 16_000
let step = 1_600

/// Returns the sound of a picture, in which each character is a tenth of a second.
///
/// - `.` a quiet room, −65 dBFS
/// - `#` speech in that room, −25 dBFS
/// - `~` a fan, −40 dBFS
/// - `+` speech beside the fan
/// - `-` digital silence
/// - `!` speech in digital silence
func sound(_ picture: String, seed: UInt64 = 1) -> [Float] {
    var dice = SplitMix64(seed: seed)
    var voice = Voice()
    var samples: [Float] = []
    samples.reserveCapacity(picture.count * step)
    for character in picture {
        let isSpoken = "#+!".contains(character)
        if !isSpoken { voice = Voice() }
        let noise: Float =
            switch character {
            case "-", "!": 0
            case "~", "+": amplitude(dBFS: -40)
            default: amplitude(dBFS: -65)
            }
        for _ in 0..<step { samples.append(dice.noise() * noise + (isSpoken ? voice.next() : 0)) }
    }
    return samples
}

/// Returns the amplitude of noise, or the RMS of any sound, for a level in dBFS.
func amplitude(dBFS level: Float) -> Float { pow(10, level / 20) }

/// A voice without words: 22 harmonics of 160 Hz that rise and fall four times a second, as syllables do. −25 dBFS.
struct Voice {
    private var at = 0

    mutating func next() -> Float {
        defer { at += 1 }
        let syllable = 0.1 + 0.9 * Self.syllable[at % Self.syllable.count]
        return Self.loudness * syllable * Self.period[at % Self.period.count]
    }

    private static let period = (0..<100).map { index -> Float in
        (1...22).reduce(Float(0)) { sum, harmonic -> Float in
            let phase: Float = 2 * .pi * Float(harmonic * index) / 100 + Float(harmonic * harmonic)
            return sum + sin(phase) / Float(harmonic)
        }
    }

    private static let syllable = (0..<4_000).map { index -> Float in
        let wave = sin(Float.pi * Float(index) / 4_000)
        return wave * wave
    }

    private static let loudness: Float = {
        let periodPower = period.reduce(0) { $0 + $1 * $1 } / Float(period.count)
        let syllablePower = syllable.reduce(0) { $0 + (0.1 + 0.9 * $1) * (0.1 + 0.9 * $1) } / Float(syllable.count)
        return amplitude(dBFS: -25) / (periodPower * syllablePower).squareRoot()
    }()
}

extension SplitMix64 {
    /// Returns white noise with RMS 1, within ±√3.
    mutating func noise() -> Float { (Float(next() >> 40) / Float(1 << 23) - 1) * 1.732_05 }
}

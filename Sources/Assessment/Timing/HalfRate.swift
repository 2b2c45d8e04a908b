import Glibc

/// Halves the sample rate from 16 kHz to 8 kHz, with a low-pass filter against aliasing.
///
/// The filter is a windowed sinc of 31 taps (Hann): −0.1 dB at 3 kHz, and −50 dB from 5 kHz on. Frequencies that alias
/// in between are above the pitch of any voice.
enum HalfRate {
    static let taps = 31
    static let weights: [Float] = {
        let raw = (0..<taps).map { index -> Float in
            let at = Float(index - taps / 2)
            let sinc = at == 0 ? 0.5 : sinf(.pi * at / 2) / (.pi * at)
            return sinc * (0.5 + 0.5 * cosf(2 * .pi * at / Float(taps + 1)))
        }
        let sum = raw.reduce(0, +)
        return raw.map { $0 / sum }
    }()

    /// Returns the filtered sample at the middle of `taps` samples.
    static func sample(_ samples: UnsafePointer<Float>) -> Float {
        weights.withUnsafeBufferPointer { weights in
            var sum: Float = 0
            for index in 0..<taps { sum += weights[index] * samples[index] }
            return sum
        }
    }
}

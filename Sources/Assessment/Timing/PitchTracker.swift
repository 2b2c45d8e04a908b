import Glibc

/// Finds the pitch of a voice and the periodicity of the sound from the autocorrelation of 50 ms at 8 kHz. The method
/// is P. Boersma's ("Accurate short-term analysis of the fundamental frequency…", IFA Proceedings 17, 1993: divided by
/// the window's own autocorrelation), without the search for the best path.
struct PitchTracker: Sendable {
    /// The number of samples at 8 kHz.
    static let window = 400
    /// The periods in samples: 470 to 60 Hz. The range has one more on either side, so that peaks can be recognised.
    private static let lags = 17...133
    /// The preference for each octave by which a period is shorter than that of 60 Hz.
    private static let octaveCost: Float = 0.01

    struct Pitch: Sendable {
        /// In Hz. 0 without a peak.
        var hertz: Float
        /// The autocorrelation at the pitch, 0 to 1.
        var strength: Float
    }

    private let hann: [Float]
    /// The divisors for a window's products and the preferences of lags, starting one lag before the first.
    private let windowProducts: [Float]
    private let preference: [Float]
    /// The windowed samples, with silence at the end for the longest lag.
    private var windowed = [Float](repeating: 0, count: window + 144)
    private var correlations = [Float](repeating: 0, count: lags.count + 2)

    init() {
        let hann = (0..<Self.window).map { 0.5 - 0.5 * cosf(2 * .pi * (Float($0) + 0.5) / Float(Self.window)) }
        let lags = (Self.lags.lowerBound - 1)...(Self.lags.upperBound + 1)
        let own = hann.reduce(0) { $0 + $1 * $1 }
        self.hann = hann
        windowProducts = lags.map { lag in
            (0..<(Self.window - lag)).reduce(Float(0)) { $0 + hann[$1] * hann[$1 + lag] } / own
        }
        preference = lags.map { Self.octaveCost * log2f(60 * Float($0) / 8000) }
    }

    /// Returns the pitch of a window.
    ///
    /// - Precondition: there are `window` samples.
    mutating func pitch(of samples: UnsafeBufferPointer<Float>) -> Pitch {
        var mean: Float = 0
        for sample in samples { mean += sample }
        mean /= Float(Self.window)
        for index in 0..<Self.window { windowed[index] = (samples[index] - mean) * hann[index] }
        let energy = correlate()
        guard energy > 1e-9 else { return Pitch(hertz: 0, strength: 0) }  // Silence down to the last of 16 bits.
        var best = 0
        for index in 1...Self.lags.count {
            let here = correlations[index]
            guard here > correlations[index - 1], here >= correlations[index + 1] else { continue }
            if best == 0 || here - preference[index] > correlations[best] - preference[best] { best = index }
        }
        guard best > 0 else { return Pitch(hertz: 0, strength: 0) }
        let (before, here, after) = (correlations[best - 1], correlations[best], correlations[best + 1])
        let bend = before - 2 * here + after
        let shift = bend < 0 ? (before - after) / (2 * bend) : 0
        let lag = Float(Self.lags.lowerBound - 1 + best) + shift
        return Pitch(hertz: 8000 / lag, strength: min(1, max(0, here - (before - after) * shift / 4)))
    }

    /// Computes the autocorrelations and returns the energy of the window.
    private mutating func correlate() -> Float {
        let products = windowProducts
        return windowed.withUnsafeBufferPointer { windowed in
            let energy = Self.product(windowed.baseAddress!, windowed.baseAddress!)
            guard energy > 0 else { return 0 }
            for index in correlations.indices {
                let lag = Self.lags.lowerBound - 1 + index
                correlations[index] =
                    Self.product(windowed.baseAddress!, windowed.baseAddress! + lag) / energy / products[index]
            }
            return energy
        }
    }

    private static func product(_ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>) -> Float {
        let (one, other) = (UnsafeRawPointer(one), UnsafeRawPointer(other))
        var sums = (SIMD8<Float>.zero, SIMD8<Float>.zero)
        for index in 0..<(window / 16) {
            sums.0 +=
                one.loadUnaligned(fromByteOffset: 64 * index, as: SIMD8<Float>.self)
                * other.loadUnaligned(fromByteOffset: 64 * index, as: SIMD8<Float>.self)
            sums.1 +=
                one.loadUnaligned(fromByteOffset: 64 * index + 32, as: SIMD8<Float>.self)
                * other.loadUnaligned(fromByteOffset: 64 * index + 32, as: SIMD8<Float>.self)
        }
        return (sums.0 + sums.1).sum()
    }
}

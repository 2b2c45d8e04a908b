import ExamCore
import Glibc

/// A change to a recording on its way that should not change its measures.
enum Disturbance: CaseIterable, Sendable {
    /// Attenuates by 12 dB.
    case quieter
    /// Adds pink noise at 15 dB below the recording's mean power.
    case pinkNoise
    /// Limits the band to 300–3400 Hz.
    case telephone

    var words: String {
        switch self {
        case .quieter: "12 dB quieter"
        case .pinkNoise: "pink noise at 15 dB"
        case .telephone: "telephone band"
        }
    }

    func applied(to samples: [Float]) -> [Float] {
        switch self {
        case .quieter: samples.map { $0 * 0.2512 }
        case .pinkNoise: withPinkNoise(samples)
        case .telephone: Self.telephoneBand(samples)
        }
    }

    /// Adds noise from 16 generators, each updated half as often as the one before (R. F. Voss's method, as described
    /// by M. Gardner in 1978).
    private func withPinkNoise(_ samples: [Float]) -> [Float] {
        var random = SplitMix64(seed: 15)
        func white() -> Float { Float(random.below(2_000_001)) / 1_000_000 - 1 }
        var sources = (0..<16).map { _ in white() }
        var noise = samples.indices.map { index -> Float in
            sources[min((index + 1).trailingZeroBitCount, 15)] = white()
            return sources.reduce(0, +) + white()
        }
        let mean = noise.reduce(0, +) / Float(max(noise.count, 1))
        noise = noise.map { $0 - mean }
        func power(_ values: [Float]) -> Float { values.reduce(0) { $0 + $1 * $1 } / Float(max(values.count, 1)) }
        let gain = sqrtf(power(samples) / max(power(noise), 1e-12)) * powf(10, -15 / 20)
        return zip(samples, noise).map { $0 + gain * $1 }
    }

    /// Filters with two high passes at 300 Hz and two low passes at 3400 Hz, each of second order (R. Bristow-Johnson's
    /// cookbook). Each pair is a Butterworth filter of fourth order.
    private static func telephoneBand(_ samples: [Float]) -> [Float] {
        var samples = samples
        for quality in [0.5412, 1.3066] {
            samples = filtered(samples, hertz: 300, quality: quality, isHigh: true)
            samples = filtered(samples, hertz: 3400, quality: quality, isHigh: false)
        }
        return samples
    }

    private static func filtered(_ samples: [Float], hertz: Double, quality: Double, isHigh: Bool) -> [Float] {
        let angle = 2 * Double.pi * hertz / 16_000
        let (cosine, alpha) = (cos(angle), sin(angle) / (2 * quality))
        let middle = isHigh ? -(1 + cosine) : 1 - cosine
        let edge = isHigh ? (1 + cosine) / 2 : (1 - cosine) / 2
        let first = 1 + alpha
        var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
        return samples.map { sample in
            let x = Double(sample)
            let y = (edge * x + middle * x1 + edge * x2 + 2 * cosine * y1 - (1 - alpha) * y2) / first
            (x2, x1, y2, y1) = (x1, x, y1, y)
            return Float(y)
        }
    }
}

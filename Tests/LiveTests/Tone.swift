import Foundation

/// A tone as played by a test, and what is left of it where it was heard: mono samples at 48 kHz.
///
/// 997 Hz has no period that is a whole number of samples, so no lost block hides by being a multiple of one.
enum Tone {
    static let radians = 2 * Double.pi * 997 / 48_000

    /// −12 dBFS, a quarter of full scale.
    static func lasting(_ seconds: Double) -> [Float] {
        (0..<Int(seconds * 48_000)).map { Float(0.25 * sin(radians * Double($0 + 1))) }
    }

    /// The samples from the first to the last that is not silence.
    static func audible(in heard: [Float]) -> ArraySlice<Float> {
        guard let first = heard.firstIndex(where: { abs($0) > 0.001 }),
            let last = heard.lastIndex(where: { abs($0) > 0.001 })
        else { return [] }
        return heard[first...last]
    }

    /// How often a sample is not what its two forerunners foretell: x(n) = 2 cos(ω) x(n−1) − x(n−2).
    /// 16-bit samples are off by up to 4 × 2⁻¹⁶ there, so 0.001 is far above that and far below a slip.
    static func breaks(in heard: ArraySlice<Float>) -> Int {
        let factor = Float(2 * cos(radians))
        return heard.indices.dropFirst(2).count { abs(heard[$0] - factor * heard[$0 - 1] + heard[$0 - 2]) > 0.001 }
    }
}

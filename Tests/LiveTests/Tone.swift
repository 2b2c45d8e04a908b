import Foundation

/// A tone as played by a test, and its remains in a recording: mono samples at 48 kHz.
///
/// The period of 997 Hz is not a whole number of samples, so a lost block can't hide by being a multiple of one.
enum Tone {
    static let radians = 2 * Double.pi * 997 / 48_000

    /// Returns a tone of −12 dBFS, a quarter of full scale.
    static func lasting(_ seconds: Double) -> [Float] {
        (0..<Int(seconds * 48_000)).map { Float(0.25 * sin(radians * Double($0 + 1))) }
    }

    /// Returns the samples from the first to the last that is not silent.
    static func audible(in heard: [Float]) -> ArraySlice<Float> {
        guard let first = heard.firstIndex(where: { abs($0) > 0.001 }),
            let last = heard.lastIndex(where: { abs($0) > 0.001 })
        else { return [] }
        return heard[first...last]
    }

    /// Counts the samples that differ from the value predicted by their two predecessors: x(n) = 2 cos(ω) x(n−1) −
    /// x(n−2). The prediction of 16-bit samples is off by up to 4 × 2⁻¹⁶, so 0.001 is far above that and far below a
    /// gap.
    static func breaks(in heard: ArraySlice<Float>) -> Int {
        let factor = Float(2 * cos(radians))
        return heard.indices.dropFirst(2).count { abs(heard[$0] - factor * heard[$0 - 1] + heard[$0 - 2]) > 0.001 }
    }
}

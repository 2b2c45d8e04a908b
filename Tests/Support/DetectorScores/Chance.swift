import ExamCore
import Glibc

/// A seeded random generator that gives the same numbers in every run.
public struct Chance: RandomNumberGenerator, Sendable {
    private var generator: SplitMix64

    public init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// - Parameter name: For example the name of a recording. Its CRC-32 is the seed.
    public init(named name: String) {
        self.init(seed: UInt64(crc32(name.utf8)))
    }

    public mutating func next() -> UInt64 { generator.next() }

    /// Returns a normally distributed number with mean 0 and variance 1 (G. E. P. Box and M. E. Muller, Ann. Math.
    /// Statist. 29, 1958).
    public mutating func normal() -> Double {
        let (radius, turn) = (1 - Double.random(in: 0..<1, using: &self), Double.random(in: 0..<1, using: &self))
        return (-2 * log(radius)).squareRoot() * cos(2 * .pi * turn)
    }

    /// Returns white noise of power 1.
    public mutating func noise(_ count: Int) -> [Double] {
        (0..<count).map { _ in normal() }
    }
}

import Glibc

/// Chance from a seed, the same in every run: S. Vigna, "splitmix64" (2015).
public struct Chance: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) {
        state = seed
    }

    /// - Parameter name: of a recording, say; its CRC-32 is the seed.
    public init(named name: String) {
        self.init(seed: UInt64(crc32(name.utf8)))
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
    }

    /// From a normal distribution of mean 0 and variance 1: G. E. P. Box and M. E. Muller, Ann. Math. Statist. 29 (1958).
    public mutating func normal() -> Double {
        let (radius, turn) = (1 - Double.random(in: 0..<1, using: &self), Double.random(in: 0..<1, using: &self))
        return (-2 * log(radius)).squareRoot() * cos(2 * .pi * turn)
    }

    /// White noise of power 1.
    public mutating func noise(_ count: Int) -> [Double] {
        (0..<count).map { _ in normal() }
    }
}

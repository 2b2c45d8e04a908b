/// A seeded random number generator with the same sequence on every machine: SplitMix64 (G. L. Steele, D. Lea and C. H.
/// Flood, OOPSLA 2014).
package struct SplitMix64: RandomNumberGenerator, Equatable, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
    }

    /// Returns a number from 0 to `count` − 1.
    package mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
}

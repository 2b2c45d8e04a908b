import ExamCore

/// Random numbers from a seed, the same in every run and on every machine.
struct Chance: RandomNumberGenerator, Sendable {
    private var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// The chance of one case, which can be repeated without the cases before it.
    init(seed: UInt64, kind: String, number: Int) {
        // FNV-1a, 64 bits.
        let name = kind.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        var mixed = Chance(seed: seed ^ name)
        generator = SplitMix64(seed: mixed.next() &+ UInt64(number) &* 0x9e37_79b9_7f4a_7c15)
        generator = SplitMix64(seed: next())
    }

    mutating func next() -> UInt64 { generator.next() }

    /// Returns true once in this many times.
    mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    /// Returns a number from 0 to `count` − 1.
    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

    /// Returns a random element.
    ///
    /// - Precondition: `choices` is not empty.
    mutating func one<Choices: RandomAccessCollection>(of choices: Choices) -> Choices.Element {
        choices[choices.index(choices.startIndex, offsetBy: below(choices.count))]
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}

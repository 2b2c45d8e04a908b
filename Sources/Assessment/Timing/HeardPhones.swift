import Glibc

/// The number and clarity of the phones (speech sounds) that a recogniser heard in an answer. Phones of later pieces
/// can be added.
///
/// Words are not needed for this. Misheard or missing words change nothing.
public struct HeardPhones: Codable, Equatable, Sendable {
    /// The version of the rules by which they are found and counted.
    package static let rules = "phones/1"

    public var count: Int
    /// The beginnings of the first and the last phone, in seconds of the recording.
    public var first: Double
    public var last: Double
    /// The sum over the phones of ln of each one's highest probability.
    public var clarity: Double

    /// - Parameter phones: their beginnings in seconds of the recording, in order, and ln of their probabilities. Nil
    ///   if there are none.
    public init?(_ phones: [(start: Double, clarity: Double)]) {
        guard let first = phones.first, let last = phones.last else { return nil }
        (count, self.first, self.last) = (phones.count, first.start, last.start)
        clarity = phones.reduce(0) { $0 + $1.clarity }
    }

    /// Returns these phones and later ones together.
    ///
    /// - Parameter later: phones of a later piece of the same recording.
    public func followed(by later: HeardPhones) -> HeardPhones {
        var whole = self
        whole.count += later.count
        whole.last = later.last
        whole.clarity += later.clarity
        return whole
    }

    /// Returns the same phones, this many seconds later.
    public func moved(by seconds: Double) -> HeardPhones {
        var copy = self
        copy.first += seconds
        copy.last += seconds
        return copy
    }

    /// The least phones from which features are computed: about three words.
    private static let least = 8

    /// The features by their names in a calibration. Neither grows with length. Empty if there are too few phones.
    ///
    /// - `phoneRate`: ln of the phones a second, from the first to the last, including pauses.
    /// - `phoneClarity`: the mean ln of the probability of a phone, near 0 if the recogniser is sure.
    public var features: [String: Double] {
        guard count >= Self.least, last > first else { return [:] }
        func short(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
        return [
            "phoneRate": short(log(Double(count - 1) / (last - first))),
            "phoneClarity": short(clarity / Double(count)),
        ]
    }
}

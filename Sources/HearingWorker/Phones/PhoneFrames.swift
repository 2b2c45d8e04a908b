import Assessment

/// The logarithmic probabilities of phones, for each 20 ms of a piece.
struct PhoneFrames {
    /// For each frame `width` values.
    let logs: [Float]
    let width: Int

    /// Seconds from one frame to the next.
    static let step = 0.02
    /// The number that stands for no phone.
    static let blank = 190
    /// The number of the boundary between words.
    static let boundary = 189

    var count: Int { logs.count / width }

    subscript(frame: Int, phone: Int) -> Float { logs[frame * width + phone] }

    /// A phone that was heard.
    struct Spot: Equatable {
        var phone: Int
        /// The frame in which it begins.
        var frame: Int
        /// ln of its highest probability.
        var clarity: Float
    }

    /// The most probable phones, without blanks, boundaries and repetitions.
    var phones: [Int] { spots.map(\.phone) }

    /// The same phones with their places.
    var spots: [Spot] {
        var (found, last) = ([Spot](), Self.blank)
        for frame in 0..<count {
            let best = (0..<width).max { self[frame, $0] < self[frame, $1] } ?? Self.blank
            if best != Self.blank, best != Self.boundary {
                let clarity = self[frame, best]
                if best != last {
                    found.append(Spot(phone: best, frame: frame, clarity: clarity))
                } else {
                    found[found.count - 1].clarity = max(found[found.count - 1].clarity, clarity)
                }
            }
            last = best
        }
        return found
    }

    /// The heard phones. Nil if there are none.
    var heard: HeardPhones? {
        HeardPhones(spots.map { (start: Double($0.frame) * Self.step, clarity: Double(max($0.clarity, -12))) })
    }

    /// Returns the fewest phones to insert, remove or replace to turn the heard phones into others, divided by the
    /// count of `others`.
    func distance(to others: [Int]) -> Double { PhoneComparison(heard: phones, words: [others]).distance }
}

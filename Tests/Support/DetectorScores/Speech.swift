/// The speech in one recording, labelled by a person or heard by a detector: separate stretches in seconds, in order.
public struct Speech: Equatable, Sendable {
    public let stretches: [Range<Double>]

    /// - Parameter stretches: In any order. Stretches that overlap or touch, to a microsecond, are joined.
    public init(_ stretches: [Range<Double>]) {
        self.stretches = stretches.joined(within: 1e-6)
    }

    /// Returns for each of the first frames of 10 ms whether its centre is speech.
    func frames(_ count: Int) -> [Bool] {
        var rest = stretches[...]
        return (0..<count).map { frame in
            let centre = (Double(frame) + 0.5) * 0.01
            while let first = rest.first, first.upperBound <= centre { rest.removeFirst() }
            return rest.first.map { $0.lowerBound <= centre } ?? false
        }
    }

    /// Returns the turns: stretches with pauses shorter than this are joined.
    func turns(pausesUnder long: Double) -> [Range<Double>] { stretches.joined(within: long - 1e-9) }

    /// The silences between the stretches.
    var pauses: [Range<Double>] {
        zip(stretches, stretches.dropFirst()).map { $0.upperBound..<$1.lowerBound }
    }
}

extension [Range<Double>] {
    /// Returns the ranges in order, joining those that are at most `gap` apart.
    fileprivate func joined(within gap: Double) -> [Range<Double>] {
        let inOrder = sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        return inOrder.reduce(into: []) { joined, next in
            if let last = joined.last, next.lowerBound - last.upperBound <= gap {
                joined[joined.count - 1] = last.lowerBound..<Swift.max(last.upperBound, next.upperBound)
            } else {
                joined.append(next)
            }
        }
    }
}

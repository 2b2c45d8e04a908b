/// Where speech is in one recording, as a person labels it or a detector hears it: stretches in seconds, in order and apart.
public struct Speech: Equatable, Sendable {
    public let stretches: [Range<Double>]

    /// - Parameter stretches: in any order; those that overlap or touch, to a microsecond, become one.
    public init(_ stretches: [Range<Double>]) {
        self.stretches = stretches.joined(within: 1e-6)
    }

    /// Whether each of the first frames of 10 ms is speech: whether its centre is.
    func frames(_ count: Int) -> [Bool] {
        var rest = stretches[...]
        return (0..<count).map { frame in
            let centre = (Double(frame) + 0.5) * 0.01
            while let first = rest.first, first.upperBound <= centre { rest.removeFirst() }
            return rest.first.map { $0.lowerBound <= centre } ?? false
        }
    }

    /// What sounds like one turn: stretches with pauses between them shorter than this.
    func turns(pausesUnder long: Double) -> [Range<Double>] { stretches.joined(within: long - 1e-9) }

    /// The silences between the stretches.
    var pauses: [Range<Double>] {
        zip(stretches, stretches.dropFirst()).map { $0.upperBound..<$1.lowerBound }
    }
}

extension [Range<Double>] {
    /// In order, those that are no further apart than `gap` as one.
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

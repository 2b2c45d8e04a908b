import Assessment
import Learning

/// The band that a learner wants, compared with the overall estimates of their exams of one format.
public struct GoalProgress: Equatable, Sendable {
    /// The wanted band, 0 to 9.
    public let wanted: Double
    /// The distance of each exam that has an overall estimate in bands, the oldest exam's first.
    public let distances: [Distance]

    /// The distance from an estimate's range up to the wanted band, in bands.
    public struct Distance: Equatable, Sendable {
        /// The distance from the upper end. 0 if the range reaches the wanted band.
        public let least: Double
        /// The distance from the lower end. 0 if the whole range is at the wanted band or above.
        public let most: Double
    }

    /// - Parameters:
    ///   - wanted: The wanted band. Nil if the learner named none: then there is no value.
    ///   - estimates: The estimates of each exam, the oldest exam's first.
    init?(wanted: Double?, _ estimates: [[AspectEstimate]]) {
        guard let wanted else { return nil }
        self.wanted = wanted
        distances = estimates.compactMap { exam in
            exam.first { $0.aspect == .overall && $0.scale == .band }.map {
                Distance(least: max(0, wanted - $0.counted.high), most: max(0, wanted - $0.counted.low))
            }
        }
    }

    /// Returns the band of the learner's profile. Nil if the learner named none, and if the profile cannot be read:
    /// estimates are shown without it.
    static func wantedBand(on shelf: some LearnerShelf) async -> Double? {
        try? await shelf.planBook()?.book.profile.goalBand
    }

    /// The distance now and in the first exam, in one or two sentences: "You want band 7, 0.5 to 1.5 bands above the
    /// estimate. In your first exam it was 1 to 2 bands above."
    public var sentence: String {
        let goal = "You want band \(wanted.halves)"
        guard let now = distances.last else {
            return "\(goal). There is no estimate in bands yet: marks by people or by a language model give one."
        }
        let first = distances.count > 1 && distances[0] != now ? " In your first exam \(distances[0].then)." : ""
        return "\(goal), \(now.now).\(first)"
    }
}

extension GoalProgress.Distance {
    private var bands: String {
        least == most ? "\(least.halves) \(least == 1 ? "band" : "bands")" : "\(least.halves) to \(most.halves) bands"
    }

    fileprivate var now: String {
        if most == 0 { return "and the whole estimate is there or above" }
        return least == 0 ? "which is within the estimate" : "\(bands) above the estimate"
    }

    fileprivate var then: String {
        if most == 0 { return "the whole estimate was there or above" }
        return least == 0 ? "it was within the estimate" : "it was \(bands) above"
    }
}

extension Double {
    /// A half band: `6`, `6.5`.
    fileprivate var halves: String {
        let halves = Int((self * 2).rounded())
        return halves % 2 == 0 ? "\(halves / 2)" : "\(halves / 2).5"
    }
}

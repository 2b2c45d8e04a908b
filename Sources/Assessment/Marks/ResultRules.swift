/// The rules that turn marks into a result. Results name their version.
public struct ResultRules: Codable, Equatable, Sendable {
    /// The version of the rules file's layout.
    public static let layoutVersion = 1

    /// The rounding of the overall mark to a half band, which happens once, at the end.
    public enum Rounding: String, Codable, Sendable {
        /// 6.75 is 6.5.
        case downHalf = "down_half"
        /// 6.75 is 7, 6.25 is 6.5.
        case nearestHalf = "nearest_half"
    }

    /// The mark that counts if two people differ too much and a third has marked.
    public enum Moderation: String, Codable, Sendable {
        /// The median of all marks. For four marks, the mean of the middle two.
        case median
        /// The third marker's mark.
        case third
    }

    /// The weight of one machine among several for a trait.
    public struct Share: Codable, Equatable, Sendable {
        /// The `MarkSource.id` of the source that has this share.
        public var source: String
        /// Relative to the other weights.
        public var weight: Double

        public init(source: String, weight: Double) {
            self.source = source
            self.weight = weight
        }
    }

    /// The distance of a machine's marks of a trait from people's marks of the same exams.
    public struct SourceError: Codable, Equatable, Sendable {
        public var trait: MarkedTrait
        /// The `MarkSource.id` of the machine.
        public var source: String
        /// The number of exams that were compared. Fewer than `leastExamsForAgreement` do not count.
        public var exams: Int
        /// The bands by which the machine marks higher than people, on average.
        public var lead: Double
        /// The bands on either side within which 80 % of people's marks lie, once the lead is subtracted.
        public var margin: Double

        public init(trait: MarkedTrait, source: String, exams: Int, lead: Double, margin: Double) {
            self.trait = trait
            self.source = source
            self.exams = exams
            self.lead = lead
            self.margin = margin
        }
    }

    public var version = ResultRules.layoutVersion
    /// An id such as `ielts-style/2`. Every set of rules has its own.
    public var id: String
    /// The label shown with every band.
    public var label: String
    /// The relative weights of the criteria.
    public var weights: [Criterion: Double]
    public var rounding: Rounding
    /// The kinds of sources whose marks count, in order of priority. Other kinds are shown but do not count.
    public var sources: [MarkSource.Kind]
    /// The machines that are combined for a trait, with their weights. Those that gave no mark are left out. If none of
    /// them gave one, or the trait is not listed, all machines that marked it have equal weights.
    public var shares: [MarkedTrait: [Share]]
    public var mappings: [MarkMapping]
    /// The errors of machines whose marks were compared with people's (`oracy agreement --fit`). Estimates use them.
    /// Nil if none was compared.
    public var errors: [SourceError]?
    /// The difference in bands from which two people's marks need a third.
    public var differenceForThird: Double
    public var moderation: Moderation
    /// The share of the speech that must have been marked, 0 to 1, if marks are given for single answers.
    public var leastShareOfSpeech: Double
    /// The number of exams with two markers that are required to report agreement.
    public var leastExamsForAgreement: Int

    public init(
        id: String, label: String, weights: [Criterion: Double], rounding: Rounding, sources: [MarkSource.Kind],
        shares: [MarkedTrait: [Share]] = [:], mappings: [MarkMapping] = [.bands, .hundred],
        errors: [SourceError]? = nil, differenceForThird: Double, moderation: Moderation, leastShareOfSpeech: Double,
        leastExamsForAgreement: Int
    ) {
        self.id = id
        self.label = label
        self.weights = weights
        self.rounding = rounding
        self.sources = sources
        self.shares = shares
        self.mappings = mappings
        self.errors = errors
        self.differenceForThird = differenceForThird
        self.moderation = moderation
        self.leastShareOfSpeech = leastShareOfSpeech
        self.leastExamsForAgreement = leastExamsForAgreement
    }

    /// Four criteria with equal weight, as IELTS publishes it. How IELTS rounds their mean is not public, and teachers
    /// report different rules. Rounding down is the cautious choice. The other values are this project's own: one band
    /// separates two descriptors, and half of the speech is the least that can represent an exam. docs/results.md lists
    /// them.
    public static let ielts = ResultRules(
        id: "ielts-style/2", label: "unofficial",
        weights: [.fluency: 1, .vocabulary: 1, .grammar: 1, .pronunciation: 1], rounding: .downHalf,
        sources: [.human, .machine], differenceForThird: 1, moderation: .median, leastShareOfSpeech: 0.5,
        leastExamsForAgreement: 20)

    /// Returns whether two people's marks of an exam differ so much that a third has to decide.
    public func needsThird(_ sheets: [MarkSheet]) -> Bool {
        Criterion.allCases.contains { criterion in
            let marks = sheets.compactMap { $0.bands[criterion] }
            guard let low = marks.min(), let high = marks.max() else { return false }
            return high - low >= differenceForThird - 1e-9
        }
    }

    /// The faults in the rules, one sentence each. Empty if the rules are valid.
    public var mistakes: [String] {
        var mistakes = mappings.compactMap(\.mistake)
        if Set(mappings.map(\.scale)).count < mappings.count { mistakes.append("mappings: one for each scale") }
        let weights = Criterion.allCases.map { self.weights[$0] ?? 0 } + shares.values.joined().map(\.weight)
        if !weights.allSatisfy({ $0 > 0 && $0.isFinite }) {
            mistakes.append("weights: each of the four criteria, and each share, needs one above 0")
        }
        let isError = { (error: SourceError) in abs(error.lead) <= 9 && (0...9).contains(error.margin) }
        if !(errors ?? []).allSatisfy(isError) { mistakes.append("errors: lead goes from -9 to 9, margin from 0 to 9") }
        if !(0...1).contains(leastShareOfSpeech) { mistakes.append("leastShareOfSpeech: goes from 0 to 1") }
        if !(0...9).contains(differenceForThird) { mistakes.append("differenceForThird: goes from 0 to 9") }
        return mistakes
    }
}

extension ResultRules.Rounding {
    /// Returns the mark rounded to a half band.
    ///
    /// - Parameter mark: in bands.
    public func round(_ mark: Double) -> Double {
        // Weighting leaves errors of about 1e-15, which must not turn 7 into 6.5.
        let halves = mark * 2 + 1e-9
        switch self {
        case .downHalf: return halves.rounded(.down) / 2
        case .nearestHalf: return (halves + 0.5).rounded(.down) / 2
        }
    }
}

/// How marks become a result: data with a version, which results name.
public struct ResultRules: Codable, Equatable, Sendable {
    /// The version of the layout of a file with such rules.
    public static let layoutVersion = 1

    /// How the overall mark becomes a half band. Rounded is once, at the end.
    public enum Rounding: String, Codable, Sendable {
        /// 6.75 is 6.5.
        case downHalf = "down_half"
        /// 6.75 is 7, 6.25 is 6.5.
        case nearestHalf = "nearest_half"
    }

    /// What counts where people differ too much and a third has marked.
    public enum Moderation: String, Codable, Sendable {
        /// The median of all; of four, the mean of the middle two.
        case median
        /// The mark of whoever marked third.
        case third
    }

    /// How much of a criterion one of several machines decides.
    public struct Share: Codable, Equatable, Sendable {
        /// `MarkSource.id`
        public var source: String
        /// Relative to the others'.
        public var weight: Double

        public init(source: String, weight: Double) {
            self.source = source
            self.weight = weight
        }
    }

    public var version = ResultRules.layoutVersion
    /// `ielts-style/1`: other rules have another id.
    public var id: String
    /// What stands beside every band.
    public var label: String
    /// Relative weights of the criteria.
    public var weights: [Criterion: Double]
    public var rounding: Rounding
    /// Whose marks count, the first first; who is not listed is heard and does not count.
    public var sources: [MarkSource.Kind]
    /// Which machines a trait is joined from; all of them are needed. A trait that is not listed takes the one machine that marked it.
    public var shares: [MarkedTrait: [Share]]
    public var mappings: [MarkMapping]
    /// Two people whose marks are so many bands apart, or more, need a third.
    public var differenceForThird: Double
    public var moderation: Moderation
    /// The share of the speech that must have been marked, 0 … 1, where marks are given answer by answer.
    public var leastShareOfSpeech: Double
    /// Agreement of markers is told from so many exams on that two have marked.
    public var leastExamsForAgreement: Int

    public init(
        id: String, label: String, weights: [Criterion: Double], rounding: Rounding, sources: [MarkSource.Kind],
        shares: [MarkedTrait: [Share]] = [:], mappings: [MarkMapping] = [.bands], differenceForThird: Double,
        moderation: Moderation, leastShareOfSpeech: Double, leastExamsForAgreement: Int
    ) {
        self.id = id
        self.label = label
        self.weights = weights
        self.rounding = rounding
        self.sources = sources
        self.shares = shares
        self.mappings = mappings
        self.differenceForThird = differenceForThird
        self.moderation = moderation
        self.leastShareOfSpeech = leastShareOfSpeech
        self.leastExamsForAgreement = leastExamsForAgreement
    }

    /// Four criteria, a quarter each, as IELTS publishes it. How their mean is rounded is not public; teachers' accounts differ, and
    /// rounding down is the cautious reading. The other figures are this project's own: a band apart is what separates two descriptors, and half
    /// of the speech is the least that can stand for an exam.
    public static let ielts = ResultRules(
        id: "ielts-style/1", label: "unofficial",
        weights: [.fluency: 1, .vocabulary: 1, .grammar: 1, .pronunciation: 1], rounding: .downHalf,
        sources: [.human, .machine], differenceForThird: 1, moderation: .median, leastShareOfSpeech: 0.5,
        leastExamsForAgreement: 20)

    /// Whether two people's marks of an exam are so far apart that a third has to decide.
    public func needsThird(_ sheets: [MarkSheet]) -> Bool {
        Criterion.allCases.contains { criterion in
            let marks = sheets.compactMap { $0.bands[criterion] }
            guard let low = marks.min(), let high = marks.max() else { return false }
            return high - low >= differenceForThird - 1e-9
        }
    }

    /// What is wrong with the rules, a sentence each; empty where nothing is.
    public var mistakes: [String] {
        var mistakes = mappings.compactMap(\.mistake)
        if Set(mappings.map(\.scale)).count < mappings.count { mistakes.append("mappings: one for each scale") }
        let weights = Criterion.allCases.map { self.weights[$0] ?? 0 } + shares.values.joined().map(\.weight)
        if !weights.allSatisfy({ $0 > 0 && $0.isFinite }) {
            mistakes.append("weights: each of the four criteria, and each share, needs one above 0")
        }
        if !(0...1).contains(leastShareOfSpeech) { mistakes.append("leastShareOfSpeech: goes from 0 to 1") }
        if !(0...9).contains(differenceForThird) { mistakes.append("differenceForThird: goes from 0 to 9") }
        return mistakes
    }
}

extension ResultRules.Rounding {
    /// - Parameter mark: in bands.
    /// - Returns: a half band.
    public func round(_ mark: Double) -> Double {
        // Weighing leaves errors of some 1e-15: what is 7 by hand must not become 6.5.
        let halves = mark * 2 + 1e-9
        switch self {
        case .downHalf: return halves.rounded(.down) / 2
        case .nearestHalf: return (halves + 0.5).rounded(.down) / 2
        }
    }
}

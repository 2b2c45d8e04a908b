/// What an exam's marks come to, whoever gave them, and what each of them rests on.
///
/// ```swift
/// let sheet = MarkSheet(
///     marker: "Ada", markedAt: "2026-11-23T10:00:00Z", rubric: Rubric.ieltsStyle.id,
///     bands: [.fluency: 6.5, .vocabulary: 6, .grammar: 6, .pronunciation: 7])
/// let result = ExamResult.make(sheets: [sheet])
/// print(result.overall.mark ?? 0, result.label)
/// ```
public struct ExamResult: Codable, Equatable, Sendable {
    /// `ResultRules.id`
    public var rules: String
    /// The ids of the mappings that marks went through.
    public var mappings: [String]
    /// "unofficial"
    public var label: String
    public var criteria: [Criterion: TraitResult]
    /// In no overall mark.
    public var topicRelevance: TraitResult
    /// A half band, rounded here and nowhere before; only where all four criteria have a mark.
    public var overall: MarkOutcome

    /// What one criterion, or the topic, comes to.
    public struct TraitResult: Codable, Equatable, Sendable {
        /// In bands, not rounded.
        public var outcome: MarkOutcome
        /// How the outcome came about, in words: `Ada, a person`.
        public var basis: String
        /// What the mark was made of.
        public var evidence: [CriterionEvidence]
        /// What else is known, and does not count.
        public var beside: [CriterionEvidence]
        /// The answers that the mark does not rest on.
        public var unmarked: [UnmarkedAnswer]
        /// How much of the speech was marked, 0 … 1; nil where the exam was marked as a whole, or nothing was.
        public var shareOfSpeech: Double?
    }

    public struct UnmarkedAnswer: Codable, Equatable, Sendable {
        public var name: String
        /// Seconds.
        public var speech: Double
        /// Who should have marked it.
        public var source: String
        public var reason: String
    }

    /// Makes a result of all that is known. A value in, a value out: any thread may call it.
    ///
    /// - Parameters:
    ///   - sheets: people's marks of the whole exam.
    ///   - findings: what services and programs said, of answers or of the whole; of two findings of one source about the same, the later
    ///     in the list counts.
    ///   - answers: all of the exam's, so that those of which nobody said anything are named, too. Their recordings are what the sheets
    ///     rest on.
    public static func make(
        sheets: [MarkSheet], findings: [CriterionEvidence] = [], answers: [SpokenAnswer] = [],
        rules: ResultRules = .ielts
    ) -> ExamResult {
        let recordings = answers.map(\.recording)
        let people = sheets.sorted { ($0.markedAt, $0.marker) < ($1.markedAt, $1.marker) }
        let making = ResultMaking(
            evidence: people.flatMap { $0.evidence(recordings: recordings) } + findings, answers: answers, rules: rules)
        let traits = Dictionary(uniqueKeysWithValues: MarkedTrait.allCases.map { ($0, making.result(of: $0)) })
        let criteria = Dictionary(
            uniqueKeysWithValues: Criterion.allCases.map { ($0, traits[MarkedTrait($0)]!) })
        return ExamResult(
            rules: rules.id, mappings: making.mappings(usedBy: Array(traits.values)), label: rules.label,
            criteria: criteria, topicRelevance: traits[.topicRelevance]!, overall: overall(criteria, rules))
    }

    private static func overall(_ criteria: [Criterion: TraitResult], _ rules: ResultRules) -> MarkOutcome {
        let missing = Criterion.allCases.filter { criteria[$0]?.outcome.mark == nil }
        guard missing.isEmpty else {
            return .missing(because: "no mark for \(missing.map(\.rawValue).joined(separator: ", "))")
        }
        var (sum, weight) = (0.0, 0.0)
        for criterion in Criterion.allCases {
            let own = rules.weights[criterion] ?? 0
            sum += own * (criteria[criterion]?.outcome.mark ?? 0)
            weight += own
        }
        guard weight > 0 else { return .missing(because: "rules \(rules.id) give the criteria no weight") }
        return .mark(rules.rounding.round(sum / weight))
    }
}

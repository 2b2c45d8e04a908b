/// The result of an exam: its marks from any source, and the evidence for each of them.
///
/// ```swift
/// let sheet = MarkSheet(
///     marker: "Ada", markedAt: "2026-11-23T10:00:00Z", rubric: Rubric.ieltsStyle.id,
///     bands: [.fluency: 6.5, .vocabulary: 6, .grammar: 6, .pronunciation: 7])
/// let result = ExamResult.make(sheets: [sheet])
/// print(result.overall.mark ?? 0, result.label)
/// ```
public struct ExamResult: Codable, Equatable, Sendable {
    /// The `ResultRules.id` of the rules that gave this result.
    public var rules: String
    /// The ids of the mappings that were applied to marks.
    public var mappings: [String]
    /// "unofficial"
    public var label: String
    public var criteria: [Criterion: TraitResult]
    /// Does not count in the overall mark.
    public var topicRelevance: TraitResult
    /// A half band, which is rounded only here. Present only if all four criteria have a mark.
    public var overall: MarkOutcome

    /// The result for one criterion, or for topic relevance.
    public struct TraitResult: Codable, Equatable, Sendable {
        /// In bands, not rounded.
        public var outcome: MarkOutcome
        /// The origin of the outcome in words: `Ada, a person`.
        public var basis: String
        /// The evidence that the mark is based on.
        public var evidence: [CriterionEvidence]
        /// Other evidence, which does not count.
        public var beside: [CriterionEvidence]
        /// The answers without influence on the mark.
        public var unmarked: [UnmarkedAnswer]
        /// The share of the speech that was marked, 0 to 1. Nil if the exam was marked as a whole, or not at all.
        public var shareOfSpeech: Double?
        /// Machines' marks that wait for a person; nil if none is held, or people marked it.
        public var held: [Held]?
    }

    /// A machine's mark that is held: of the whole exam, or of one answer.
    public struct Held: Codable, Equatable, Sendable {
        /// The machine.
        public var source: String
        /// The answer's name. Nil if the mark is for the whole exam.
        public var answer: String?
        /// In bands.
        public var mark: Double
        public var because: String
    }

    /// Whether a machine's mark waits for a person.
    public var isHeld: Bool { (Array(criteria.values) + [topicRelevance]).contains { $0.held != nil } }

    public struct UnmarkedAnswer: Codable, Equatable, Sendable {
        public var name: String
        /// Seconds.
        public var speech: Double
        /// The source that should have marked it.
        public var source: String
        public var reason: String
    }

    /// Makes a result from all evidence. Any thread may call it.
    ///
    /// - Parameters:
    ///   - sheets: people's marks of the whole exam.
    ///   - findings: the findings of services and programs about answers or the whole exam. If a source has two
    ///     findings about the same thing, the later one in the list counts.
    ///   - answers: all answers of the exam, so that the result can name those without findings. The sheets are based
    ///     on their recordings.
    ///   - limits: the limits beyond which a machine's mark is held for a person.
    public static func make(
        sheets: [MarkSheet], findings: [CriterionEvidence] = [], answers: [SpokenAnswer] = [],
        limits: MarkLimits = .unknown, rules: ResultRules = .ielts
    ) -> ExamResult {
        let recordings = answers.map(\.recording)
        let people = sheets.sorted { ($0.markedAt, $0.marker) < ($1.markedAt, $1.marker) }
        let making = ResultMaking(
            evidence: people.flatMap { $0.evidence(recordings: recordings) } + findings, answers: answers,
            limits: limits, rules: rules)
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

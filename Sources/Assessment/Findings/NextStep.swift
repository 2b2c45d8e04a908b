/// A recommendation for what to do next, with its evidence.
public struct NextStep: Codable, Equatable, Sendable {
    /// The id of the rule that found it: `longPauses`.
    public var rule: String
    /// The advice in one sentence.
    public var advice: String
    /// The finding, with its figures and place.
    public var evidence: String
    /// The answer's name and the second at which to listen.
    public var answer: String?
    public var at: Double?
    /// The command or link for it: `oracy run --part 2`.
    public var link: String?

    public init(
        rule: String, advice: String, evidence: String, answer: String? = nil, at: Double? = nil, link: String? = nil
    ) {
        self.rule = rule
        self.advice = advice
        self.evidence = evidence
        self.answer = answer
        self.at = at
        self.link = link
    }

    /// The most recommendations. Learners do not follow more.
    public static let most = 3

    /// Returns at most three recommendations, the most important first. Empty if nothing is known.
    ///
    /// - Parameters:
    ///   - transcripts: the transcripts of the answers, with the findings of checkers.
    ///   - earlier: the learner's earlier exams.
    public static func steps(
        for assessment: ExamAssessment, transcripts: [AnswerTranscript] = [], earlier: [EarlierExam] = []
    ) -> [NextStep] {
        let known = KnownOfExam(assessment, transcripts, earlier)
        let found = StepRule.all.compactMap { rule in rule.find(known).map { ($0, rule) } }
        // Among equal weights the order of the rules decides.
        let sorted = found.enumerated().sorted { a, b in
            a.element.0.weight == b.element.0.weight
                ? a.offset < b.offset : a.element.0.weight > b.element.0.weight
        }
        return sorted.prefix(most).map { $0.element.0.step(of: $0.element.1) }
    }
}

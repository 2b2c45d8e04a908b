/// One thing to do next, with what it rests on.
public struct NextStep: Codable, Equatable, Sendable {
    /// The rule that found it: `longPauses`.
    public var rule: String
    /// What to do, in one sentence.
    public var advice: String
    /// What was found, with its figures and where.
    public var evidence: String
    /// Where to listen: the answer's name and the second.
    public var answer: String?
    public var at: Double?
    /// What to type or open for it: `oracy run --part 2`.
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

    /// More is not taken in, and not done.
    public static let most = 3

    /// Three at most, the weightiest first; none where nothing is known.
    ///
    /// - Parameters:
    ///   - transcripts: of the answers, with what checkers found in them.
    ///   - earlier: the learner's earlier exams.
    public static func steps(
        for assessment: ExamAssessment, transcripts: [AnswerTranscript] = [], earlier: [EarlierExam] = []
    ) -> [NextStep] {
        let known = KnownOfExam(assessment, transcripts, earlier)
        let found = StepRule.all.compactMap { rule in rule.find(known).map { ($0, rule) } }
        // Rules stand in their order where they weigh the same.
        let sorted = found.enumerated().sorted { a, b in
            a.element.0.weight == b.element.0.weight
                ? a.offset < b.offset : a.element.0.weight > b.element.0.weight
        }
        return sorted.prefix(most).map { $0.element.0.step(of: $0.element.1) }
    }
}

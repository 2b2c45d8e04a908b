/// A recommendation for what to practise next, with its evidence.
public struct NextStep: Codable, Equatable, Sendable {
    /// The id of the rule that found it: `longPauses`.
    public var rule: String
    /// The advice in one sentence.
    public var advice: String
    /// The finding, with its figures and place.
    public var evidence: String
    /// The figure that the evidence cites.
    public var figure: StepFigure
    /// The answer's name and the second at which to listen.
    public var answer: String?
    public var at: Double?
    /// The way to do it. Each place that shows steps words it in its own way, so it is not encoded.
    public var action: Action?

    /// A way to follow a recommendation.
    public enum Action: Equatable, Sendable {
        /// Check the microphone and the room.
        case checkSound
        /// Sit an exam: one part, or all of it if nil.
        case sit(part: Int?)
        /// Answer a question of the exam again.
        case answerAgain(question: String)
        /// Type the words of an answer.
        case transcribe(answer: String)
    }

    private enum CodingKeys: String, CodingKey {
        case rule, advice, evidence, figure, answer, at
    }

    public init(
        rule: String, advice: String, evidence: String, figure: StepFigure, answer: String? = nil, at: Double? = nil,
        action: Action? = nil
    ) {
        self.rule = rule
        self.advice = advice
        self.evidence = evidence
        self.figure = figure
        self.answer = answer
        self.at = at
        self.action = action
    }

    /// The most recommendations. Learners do not follow more.
    public static let most = 3

    /// Returns at most three recommendations, the most important first. Empty if nothing is known. Each rests on a
    /// figure that differs by more than its error. Introductions, practice and skipped questions are ignored.
    ///
    /// - Parameters:
    ///   - transcripts: the transcripts of the answers, with the findings of checkers.
    ///   - earlier: the learner's earlier exams.
    ///   - asked: the numbers of the questions. Nil if the assessment has all answers of the exam.
    public static func steps(
        for assessment: ExamAssessment, transcripts: [AnswerTranscript] = [], earlier: [EarlierExam] = [],
        asked: AskedQuestions? = nil
    ) -> [NextStep] {
        let known = KnownOfExam(
            assessment, transcripts, earlier, asked ?? AskedQuestions(assessment.answers.map(\.record)))
        let found = StepRule.all.compactMap { rule in rule.find(known).map { ($0, rule) } }
            .filter { $0.0.figure.isTelling }
        // Findings of equal weight keep the order of the rules.
        let sorted = found.enumerated().sorted { a, b in
            a.element.0.weight == b.element.0.weight
                ? a.offset < b.offset : a.element.0.weight > b.element.0.weight
        }
        return sorted.prefix(most).map { $0.element.0.step(of: $0.element.1) }
    }
}

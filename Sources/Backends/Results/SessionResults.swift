/// What a backend found in a session: scores, and what was said in each answer (D8: TestResultsResponse, ResponseScoreResult).
///
/// What nobody scored is absent; nothing is filled in. As JSON the names are those here.
public struct SessionResults: Codable, Equatable, Sendable {
    public var scores: Scores
    /// In the order of the exam.
    public var answers: [Answer]

    public init(scores: Scores = Scores(), answers: [Answer] = []) {
        self.scores = scores
        self.answers = answers
    }

    /// Bands, 0 … 9, as the backend has them.
    public struct Scores: Codable, Equatable, Sendable {
        /// Of the whole session; an answer has none.
        public var overall: Double?
        public var fluency: Double?
        public var pronunciation: Double?
        public var grammar: Double?
        public var vocabulary: Double?
        /// No criterion of IELTS's (E1): it stands apart.
        public var topicRelevance: Double?

        public init(
            overall: Double? = nil, fluency: Double? = nil, pronunciation: Double? = nil, grammar: Double? = nil,
            vocabulary: Double? = nil, topicRelevance: Double? = nil
        ) {
            self.overall = overall
            self.fluency = fluency
            self.pronunciation = pronunciation
            self.grammar = grammar
            self.vocabulary = vocabulary
            self.topicRelevance = topicRelevance
        }

        public var isEmpty: Bool { self == Scores() }
    }

    /// One answer's.
    public struct Answer: Codable, Equatable, Sendable {
        /// The id of the question: the paper's, or of the template's row.
        public var question: String?
        public var part: Int?
        /// 1, 2, 3 … in the part.
        public var order: Int?
        /// The question's words, where the backend tells them.
        public var text: String?
        public var scores: Scores?
        public var transcript: String?
        public var mistakes: [Mistake]?
        /// Why it could not be assessed.
        public var error: String?

        public init(
            question: String? = nil, part: Int? = nil, order: Int? = nil, text: String? = nil, scores: Scores? = nil,
            transcript: String? = nil, mistakes: [Mistake]? = nil, error: String? = nil
        ) {
            self.question = question
            self.part = part
            self.order = order
            self.text = text
            self.scores = scores
            self.transcript = transcript
            self.mistakes = mistakes
            self.error = error
        }
    }

    /// Words that were not right (E6).
    public struct Mistake: Codable, Equatable, Sendable {
        public var original: String
        public var correction: String?
        /// The backend's own words: `grammar`, `Mispronunciation` …
        public var type: String?
        public var category: String?
        /// Characters of the transcript.
        public var start: Int?
        public var end: Int?

        public init(
            original: String, correction: String? = nil, type: String? = nil, category: String? = nil,
            start: Int? = nil, end: Int? = nil
        ) {
            self.original = original
            self.correction = correction
            self.type = type
            self.category = category
            self.start = start
            self.end = end
        }
    }

    /// Whether anybody scored anything: a session that was only put through the mill is not scored.
    public var isScored: Bool {
        !scores.isEmpty || answers.contains { $0.scores.map { !$0.isEmpty } ?? false }
    }
}

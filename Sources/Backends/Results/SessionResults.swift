/// A backend's results for a session: scores, and the transcript of each answer.
///
/// A score that the backend didn't give is absent. The fields in JSON have the names of these properties.
public struct SessionResults: Codable, Equatable, Sendable {
    public var scores: Scores
    /// The answers in the order of the exam.
    public var answers: [Answer]

    public init(scores: Scores = Scores(), answers: [Answer] = []) {
        self.scores = scores
        self.answers = answers
    }

    /// Bands from 0 to 9, unchanged from the backend.
    public struct Scores: Codable, Equatable, Sendable {
        /// The score of the whole session. An answer has none.
        public var overall: Double?
        public var fluency: Double?
        public var pronunciation: Double?
        public var grammar: Double?
        public var vocabulary: Double?
        /// Not an IELTS criterion, so it is kept apart.
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

    /// The results of one answer.
    public struct Answer: Codable, Equatable, Sendable {
        /// The id of the question in the paper, or of its row in the backend's template.
        public var question: String?
        public var part: Int?
        /// The number of the answer in its part, from 1.
        public var order: Int?
        /// The question's words, if the backend sends them.
        public var text: String?
        public var scores: Scores?
        public var transcript: String?
        public var mistakes: [Mistake]?
        /// The reason why the answer could not be assessed.
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

    /// A mistake in an answer.
    public struct Mistake: Codable, Equatable, Sendable {
        public var original: String
        public var correction: String?
        /// The backend's own word: `grammar`, `Mispronunciation` …
        public var type: String?
        public var category: String?
        /// The range of the mistake, in characters of the transcript.
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

    /// Whether it contains any score. A session that was only processed isn't scored.
    public var isScored: Bool {
        !scores.isEmpty || answers.contains { $0.scores.map { !$0.isEmpty } ?? false }
    }
}

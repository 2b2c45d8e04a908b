public import ExamCore
public import Papers

/// A question with a key, for packs, drills and tests alike (P23, Q1): an answer to it is right or wrong by `Grading`, everywhere.
public struct PracticeQuestion: Equatable, Sendable, Identifiable {
    /// Letters, digits and `-`; it stays when a word of the question is mended, and with it what somebody learned of it.
    public var id: String
    /// What it is about, in a word or two: `food`.
    public var topic: String
    public var difficulty: Paper.Difficulty
    /// What it asks of a mind; nil where nobody said.
    public var bloom: Bloom?
    public var prompt: String
    public var key: AnswerKey
    /// Why the right answer is right; shown after each attempt.
    public var explanation: String
    /// Who wrote it, where that was no person: a model's name.
    public var writtenBy: String?
    /// What it practises, where several questions practise the same; they share one memory. Letters, digits and `-`.
    public var item: String?
    /// What the examiner's voice says with it, where it is a question about what is heard.
    public var speech: String?

    public init(
        id: String, topic: String, difficulty: Paper.Difficulty, bloom: Bloom? = nil, prompt: String, key: AnswerKey,
        explanation: String, writtenBy: String? = nil, item: String? = nil, speech: String? = nil
    ) {
        self.id = id
        self.topic = topic
        self.difficulty = difficulty
        self.bloom = bloom
        self.prompt = prompt
        self.key = key
        self.explanation = explanation
        self.writtenBy = writtenBy
        self.item = item
        self.speech = speech
    }
}

/// How a question is answered, and what is right.
public enum AnswerKey: Equatable, Sendable {
    case multipleChoice(MultipleChoice)
    case fillInTheBlank(FillInTheBlank)
    case calculation(Calculation)
    case spoken(Spoken)

    /// One of 2 to 9 options: five in tests that are made here (P7), four in many packs (Q1).
    public struct MultipleChoice: Codable, Equatable, Sendable {
        public var options: [String]
        /// From 0.
        public var correct: Int

        public init(options: [String], correct: Int) {
            self.options = options
            self.correct = correct
        }
    }

    public struct FillInTheBlank: Codable, Equatable, Sendable {
        /// What is right; case, spaces and punctuation do not matter. The first one is shown.
        public var accepted: [String]

        public init(accepted: [String]) { self.accepted = accepted }
    }

    public struct Calculation: Codable, Equatable, Sendable {
        public var value: Double
        /// How far off is right, too; exact where absent.
        public var tolerance: Double?
        /// What may stand behind the number; where absent, nothing.
        public var units: [String]?

        public init(value: Double, tolerance: Double? = nil, units: [String]? = nil) {
            self.value = value
            self.tolerance = tolerance
            self.units = units
        }
    }

    /// Said aloud: nothing marks it, but how long it was.
    public struct Spoken: Codable, Equatable, Sendable {
        /// Seconds of speech that are asked for.
        public var speech: Double

        public init(speech: Double) { self.speech = speech }
    }
}

/// In a file the key is the field of its kind: `"multipleChoice": {"options": […], "correct": 2}`.
extension PracticeQuestion: Codable {
    private enum Field: String, CodingKey, CaseIterable {
        case id, topic, difficulty, bloom, prompt, multipleChoice, fillInTheBlank, calculation, spoken, explanation
        case writtenBy, item, speech

        static let keys = [multipleChoice, fillInTheBlank, calculation, spoken]
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        let kinds = Field.keys.filter(fields.contains)
        guard let kind = kinds.first, kinds.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "should have one of \(Field.keys.map(\.rawValue).spoken), and has \(kinds.count)")
            )
        }
        let key: AnswerKey =
            switch kind {
            case .multipleChoice: .multipleChoice(try fields.decode(AnswerKey.MultipleChoice.self, forKey: kind))
            case .fillInTheBlank: .fillInTheBlank(try fields.decode(AnswerKey.FillInTheBlank.self, forKey: kind))
            case .calculation: .calculation(try fields.decode(AnswerKey.Calculation.self, forKey: kind))
            default: .spoken(try fields.decode(AnswerKey.Spoken.self, forKey: kind))
            }
        self.init(
            id: try fields.decode(String.self, forKey: .id), topic: try fields.decode(String.self, forKey: .topic),
            difficulty: try fields.decode(Paper.Difficulty.self, forKey: .difficulty),
            bloom: try fields.decodeIfPresent(Bloom.self, forKey: .bloom),
            prompt: try fields.decode(String.self, forKey: .prompt), key: key,
            explanation: try fields.decode(String.self, forKey: .explanation),
            writtenBy: try fields.decodeIfPresent(String.self, forKey: .writtenBy),
            item: try fields.decodeIfPresent(String.self, forKey: .item),
            speech: try fields.decodeIfPresent(String.self, forKey: .speech))
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(topic, forKey: .topic)
        try fields.encode(difficulty, forKey: .difficulty)
        try fields.encodeIfPresent(bloom, forKey: .bloom)
        try fields.encode(prompt, forKey: .prompt)
        switch key {
        case .multipleChoice(let key): try fields.encode(key, forKey: .multipleChoice)
        case .fillInTheBlank(let key): try fields.encode(key, forKey: .fillInTheBlank)
        case .calculation(let key): try fields.encode(key, forKey: .calculation)
        case .spoken(let key): try fields.encode(key, forKey: .spoken)
        }
        try fields.encode(explanation, forKey: .explanation)
        try fields.encodeIfPresent(writtenBy, forKey: .writtenBy)
        try fields.encodeIfPresent(item, forKey: .item)
        try fields.encodeIfPresent(speech, forKey: .speech)
    }
}

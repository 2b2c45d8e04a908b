public import ExamCore
public import Papers

/// A question with an answer key, for packs, drills and tests. All of them use `Grading` to decide whether an answer is
/// right.
public struct PracticeQuestion: Equatable, Sendable, Identifiable {
    /// Letters, digits and `-`. Keep the id when you correct the wording: the learner's progress with the question is
    /// stored under it.
    public var id: String
    /// The topic in a word or two: `food`.
    public var topic: String
    public var difficulty: Paper.Difficulty
    /// The cognitive level in Bloom's taxonomy. Nil if unknown.
    public var bloom: Bloom?
    public var prompt: String
    public var key: AnswerKey
    /// The reason why the right answer is right. Shown after each attempt.
    public var explanation: String
    /// The name of the model that wrote the question. Nil if a person did.
    public var writtenBy: String?
    /// An id that several questions share because they practise the same thing, so that the learner's progress counts
    /// for all of them. Letters, digits and `-`. Nil if the question shares none.
    public var item: String?
    /// The words that the examiner's voice speaks, for a listening question.
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

/// The kind of answer that a question asks for, and the right answer.
public enum AnswerKey: Equatable, Sendable {
    case multipleChoice(MultipleChoice)
    case multipleResponse(MultipleResponse)
    case ordering(Ordering)
    case matching(Matching)
    case fillInTheBlank(FillInTheBlank)
    case calculation(Calculation)
    case spoken(Spoken)

    /// A choice of one from 2 to 9 options. Oracy's own tests use five, and many packs use four.
    public struct MultipleChoice: Codable, Equatable, Sendable {
        public var options: [String]
        /// The index of the right option, from 0.
        public var correct: Int

        public init(options: [String], correct: Int) {
            self.options = options
            self.correct = correct
        }
    }

    /// A choice of all right ones among 2 to 9 options.
    public struct MultipleResponse: Codable, Equatable, Sendable {
        public var options: [String]
        /// The indices of the right options, from 0, each once. At least one.
        public var correct: [Int]

        public init(options: [String], correct: [Int]) {
            self.options = options
            self.correct = correct
        }
    }

    /// 2 to 9 options to bring into an order.
    public struct Ordering: Codable, Equatable, Sendable {
        /// The options, in the order in which they are shown.
        public var options: [String]
        /// The indices of all options, from 0, in the right order.
        public var correct: [Int]

        public init(options: [String], correct: [Int]) {
            self.options = options
            self.correct = correct
        }
    }

    /// An option for each of 2 to 9 premises. There may be more options than premises, and one option may belong to
    /// several premises.
    public struct Matching: Codable, Equatable, Sendable {
        public var premises: [String]
        /// 2 to 9 options.
        public var options: [String]
        /// The index of each premise's option, from 0, in the order of the premises.
        public var correct: [Int]

        public init(premises: [String], options: [String], correct: [Int]) {
            self.premises = premises
            self.options = options
            self.correct = correct
        }

        /// Creates a key from pairs. Equal options become one, and `others` are options of no premise.
        init(pairs: [(premise: String, option: String)], others: [String] = []) {
            var options: [String] = []
            for option in pairs.map(\.option) + others where !options.contains(option) { options.append(option) }
            self.init(
                premises: pairs.map(\.premise), options: options,
                correct: pairs.compactMap { options.firstIndex(of: $0.option) })
        }

        /// The options of no premise.
        var others: [String] { options.indices.filter { !correct.contains($0) }.map { options[$0] } }
    }

    public struct FillInTheBlank: Codable, Equatable, Sendable {
        /// The right answers. Case, spaces and punctuation do not matter. The first is shown to the learner.
        public var accepted: [String]

        public init(accepted: [String]) { self.accepted = accepted }
    }

    public struct Calculation: Codable, Equatable, Sendable {
        public var value: Double
        /// The largest deviation that is still right. If absent, only the exact value is right.
        public var tolerance: Double?
        /// The units that may follow the number. If absent, no unit may follow.
        public var units: [String]?

        public init(value: Double, tolerance: Double? = nil, units: [String]? = nil) {
            self.value = value
            self.tolerance = tolerance
            self.units = units
        }
    }

    /// An answer spoken aloud. Only the length of its speech is measured.
    public struct Spoken: Codable, Equatable, Sendable {
        /// The seconds of speech that the question asks for.
        public var speech: Double

        public init(speech: Double) { self.speech = speech }
    }
}

/// In a file, the answer key is a field with the name of its kind: `"multipleChoice": {"options": […], "correct": 2}`.
extension PracticeQuestion: Codable {
    private enum Field: String, CodingKey, CaseIterable {
        case id, topic, difficulty, bloom, prompt, multipleChoice, multipleResponse, ordering, matching, fillInTheBlank
        case calculation, spoken, explanation, writtenBy, item, speech

        static let keys = [
            multipleChoice, multipleResponse, ordering, matching, fillInTheBlank, calculation, spoken,
        ]
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        let kinds = Field.keys.filter(fields.contains)
        guard let kind = kinds.first, kinds.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "should have one of \(Field.keys.map(\.rawValue).spoken), but has \(kinds.count)")
            )
        }
        let key: AnswerKey =
            switch kind {
            case .multipleChoice: .multipleChoice(try fields.decode(AnswerKey.MultipleChoice.self, forKey: kind))
            case .multipleResponse: .multipleResponse(try fields.decode(AnswerKey.MultipleResponse.self, forKey: kind))
            case .ordering: .ordering(try fields.decode(AnswerKey.Ordering.self, forKey: kind))
            case .matching: .matching(try fields.decode(AnswerKey.Matching.self, forKey: kind))
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
        case .multipleResponse(let key): try fields.encode(key, forKey: .multipleResponse)
        case .ordering(let key): try fields.encode(key, forKey: .ordering)
        case .matching(let key): try fields.encode(key, forKey: .matching)
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

public import ExamCore
public import Papers

/// A request for a test of five-choice questions. The same request makes the same blueprint, byte for byte.
public struct PracticeTestRequest: Codable, Equatable, Sendable {
    /// The id and name of the course, if the test belongs to one.
    public var courseId: String?
    public var courseName: String?
    /// If empty, the bank's topics are used.
    public var topics: [String]
    /// If nil, difficulties are mixed.
    public var difficulty: Paper.Difficulty?
    /// 1 to 100.
    public var questionCount: Int
    public var seed: UInt64

    public init(
        courseId: String? = nil, courseName: String? = nil, topics: [String] = [], difficulty: Paper.Difficulty? = nil,
        questionCount: Int, seed: UInt64
    ) {
        self.courseId = courseId
        self.courseName = courseName
        self.topics = topics
        self.difficulty = difficulty
        self.questionCount = questionCount
        self.seed = seed
    }
}

/// The plan of a test before it has questions.
public struct TestBlueprint: Codable, Equatable, Sendable {
    public var slots: [QuestionSlot]

    /// The number of questions on each topic.
    public var topicQuotas: [String: Int] { count(\.topic) }
    public var difficultyDistribution: [String: Int] { count(\.difficulty.rawValue) }
    public var bloomDistribution: [String: Int] { count(\.bloomLevel.rawValue) }

    private func count(_ what: (QuestionSlot) -> String) -> [String: Int] {
        slots.reduce(into: [:]) { $0[what($1), default: 0] += 1 }
    }
}

/// The place of one question in a test.
public struct QuestionSlot: Codable, Equatable, Sendable {
    public var topic: String
    public var bloomLevel: Bloom
    public var difficulty: Paper.Difficulty
    public var templateType: QuestionTemplate
    public var maxPromptWords: Int
}

/// The type of a question.
public enum QuestionTemplate: String, Choice {
    case meaning, gap, reply, correction, development, comparison, plan

    /// The description of the type for a model.
    var wish: String {
        switch self {
        case .meaning: "what an idiom, a phrasal verb or a word means in a sentence"
        case .gap: "which word or words fit a gap in a sentence, as people say it"
        case .reply: "which reply sounds natural, or answers what was asked"
        case .correction: "which sentence is right, or mends what a learner said"
        case .development: "which sentence best gives a reason, an example or a result for a point, or links two"
        case .comparison: "which of five answers is the stronger one for a listener, and why"
        case .plan: "which plan or opening makes the best short talk"
        }
    }
}

extension TestBlueprint {
    /// Makes the blueprint.
    ///
    /// - Parameter bank: provides the topics if the request names none.
    public init(_ request: PracticeTestRequest, bank: [PracticeQuestion]) {
        var chance = SplitMix64(seed: request.seed)
        var topics = request.topics
        if topics.isEmpty {
            topics = Set(bank.map(\.topic)).sorted()
            topics.shuffle(by: &chance)
        }
        let count = request.questionCount
        var difficulties: [Paper.Difficulty] =
            if let difficulty = request.difficulty { Array(repeating: difficulty, count: count) } else {
                Self.mixed(count)
            }
        difficulties.shuffle(by: &chance)
        var turns: [Paper.Difficulty: Int] = [:]
        slots = difficulties.enumerated().map { number, difficulty in
            let levels = Self.levels[difficulty] ?? Bloom.allCases
            let bloom = levels[turns[difficulty, default: 0] % levels.count]
            turns[difficulty, default: 0] += 1
            let kinds = Self.templates[bloom] ?? QuestionTemplate.allCases
            return QuestionSlot(
                topic: topics.isEmpty ? "everyday life" : topics[number % topics.count], bloomLevel: bloom,
                difficulty: difficulty, templateType: kinds[chance.below(kinds.count)],
                maxPromptWords: difficulty == .easy ? 25 : 40)
        }
    }

    /// Returns difficulties in the ratio 3 : 4 : 3. A remainder goes to medium first, then to easy.
    private static func mixed(_ count: Int) -> [Paper.Difficulty] {
        let (easy, hard) = ((count * 3 + 4) / 10, count * 3 / 10)
        return Array(repeating: .easy, count: easy) + Array(repeating: .medium, count: count - easy - hard)
            + Array(repeating: .hard, count: hard)
    }

    /// The cognitive levels for each difficulty, which take turns.
    private static let levels: [Paper.Difficulty: [Bloom]] = [
        .easy: [.remember, .understand, .apply], .medium: [.understand, .apply, .analyze],
        .hard: [.analyze, .evaluate, .create],
    ]

    private static let templates: [Bloom: [QuestionTemplate]] = [
        .remember: [.meaning, .gap], .understand: [.meaning, .reply], .apply: [.gap, .reply, .correction],
        .analyze: [.development, .correction], .evaluate: [.comparison], .create: [.plan],
    ]
}

extension Array {
    /// Shuffles the elements by Fisher–Yates with a seeded generator, so that the order is the same on every machine.
    fileprivate mutating func shuffle(by chance: inout SplitMix64) {
        for place in indices.dropLast() { swapAt(place, place + chance.below(count - place)) }
    }
}

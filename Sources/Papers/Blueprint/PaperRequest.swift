public import ExamCore

/// A request for a paper. The same request and bank make the same paper, byte for byte.
public struct PaperRequest: Codable, Equatable, Sendable {
    /// The format's id.
    public var format: String
    /// The wanted topics: ids or keywords of items. These items are taken first. If they do not fill the paper, others
    /// are added and reported.
    public var topics: [String]
    /// Nil for any difficulty, mixed as in the bank.
    public var difficulty: Paper.Difficulty?
    /// The longest expected exam in minutes. The paper has fewer questions to keep to it. Nil for the format's own
    /// length.
    public var minutes: Int?
    /// The most questions. Each item of the paper keeps at least one. Nil for the format's own number.
    public var questions: Int?
    /// The ids or keywords of items that must not be used.
    public var avoid: [String]
    public var seed: UInt64

    /// The allowed values of `minutes`.
    public static let allowedMinutes = 1...180
    /// The allowed values of `questions`.
    public static let allowedQuestions = 1...100

    public init(
        format: String, topics: [String] = [], difficulty: Paper.Difficulty? = nil, minutes: Int? = nil,
        questions: Int? = nil, avoid: [String] = [], seed: UInt64
    ) {
        self.format = format
        self.topics = topics
        self.difficulty = difficulty
        self.minutes = minutes
        self.questions = questions
        self.avoid = avoid
        self.seed = seed
    }
}

/// The last time a learner met an item.
public struct SeenItem: Codable, Equatable, Sendable {
    public var item: String
    /// Whole days ago. 0 is today.
    public var days: Int

    public init(item: String, days: Int) {
        self.item = item
        self.days = days
    }
}

/// The rules for drawing items again. The values are this project's own.
public struct SeenRules: Equatable, Sendable {
    /// The days for which an item is left out, as long as other items fit.
    public var days = 30

    public init() {}

    public static let standard = SeenRules()

    /// Returns the weight of an item among others that were met before: 1 − 2^(−days/7), which is one half after a
    /// week. It is computed by multiplication alone, so that it is the same on every machine.
    func weight(_ days: Int) -> Double {
        var rest = Self.withinAWeek[days % 7]
        for _ in 0..<min(days / 7, 60) { rest /= 2 }
        return 1 - rest
    }

    /// 2^(−d/7) for d = 0 … 6.
    private static let withinAWeek = [
        1, 0.9057236642639067, 0.8203353560076376, 0.7429971445684742, 0.6729500963161781, 0.6095068271022377,
        0.5520447568369062,
    ]
}

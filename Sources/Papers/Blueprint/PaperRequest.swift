public import ExamCore

/// What a paper is wanted for (P1). The same request, bank and seed make the same paper, byte for byte.
public struct PaperRequest: Codable, Equatable, Sendable {
    /// The format's id.
    public var format: String
    /// What it is to be about: ids or keywords of items. They are taken first; where they do not fill it, others are, and that is said.
    public var topics: [String]
    /// nil: of any, mixed as the bank is.
    public var difficulty: Paper.Difficulty?
    /// How long an exam may take, as far as that can be foreseen; nil: as long as the format has it. Fewer questions are asked then.
    public var minutes: Int?
    /// Ids or keywords of items that are not wanted, whatever else is.
    public var avoid: [String]
    public var seed: UInt64

    /// What `minutes` may be.
    public static let allowedMinutes = 1...180

    public init(
        format: String, topics: [String] = [], difficulty: Paper.Difficulty? = nil, minutes: Int? = nil,
        avoid: [String] = [], seed: UInt64
    ) {
        self.format = format
        self.topics = topics
        self.difficulty = difficulty
        self.minutes = minutes
        self.avoid = avoid
        self.seed = seed
    }
}

/// When a learner met an item last.
public struct SeenItem: Codable, Equatable, Sendable {
    public var item: String
    /// Whole days ago; 0 today.
    public var days: Int

    public init(item: String, days: Int) {
        self.item = item
        self.days = days
    }
}

/// What may be drawn again when (the project's own figures).
public struct SeenRules: Equatable, Sendable {
    /// So many days an item is left out, as long as there are others.
    public var days = 30

    public init() {}

    public static let standard = SeenRules()

    /// How likely an item is beside others that were met before: 1 − 2^(−days/7), so that after a week it counts for half. By multiplying alone,
    /// which is the same on every machine.
    func weight(_ days: Int) -> Double {
        var rest = Self.withinAWeek[days % 7]
        for _ in 0..<min(days / 7, 60) { rest /= 2 }
        return 1 - rest
    }

    /// 2^(−d/7) of d = 0 … 6.
    private static let withinAWeek = [
        1, 0.9057236642639067, 0.8203353560076376, 0.7429971445684742, 0.6729500963161781, 0.6095068271022377,
        0.5520447568369062,
    ]
}

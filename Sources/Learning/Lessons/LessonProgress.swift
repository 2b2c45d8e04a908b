/// The progress of a learner in a lesson, or in all lessons of a category.
public struct LessonProgress: Equatable, Sendable {
    /// The number of items.
    public private(set) var items = 0
    /// The items that were answered right at least once.
    public private(set) var learned = 0
    /// The answers to all items.
    public private(set) var answers = 0
    /// The study day of the last answer. Nil if there is none.
    public private(set) var lastStudied: StudyDay?

    /// 0 to 1.
    public var share: Double { items == 0 ? 0 : Double(learned) / Double(items) }
    public var isComplete: Bool { items > 0 && learned == items }

    public init(of pack: PracticeCatalogue.Pack, _ history: PracticeHistory) {
        items = pack.items.count
        for item in pack.items {
            guard let known = history.memories[item.id], known.answers > 0 else { continue }
            learned += known.isLearned ? 1 : 0
            answers += known.answers
            lastStudied = max(lastStudied ?? known.lastAnswered.day, known.lastAnswered.day)
        }
    }

    /// Adds up the progress of a category's lessons.
    public init(all lessons: [LessonProgress]) {
        for lesson in lessons {
            items += lesson.items
            learned += lesson.learned
            answers += lesson.answers
            guard let day = lesson.lastStudied else { continue }
            lastStudied = max(lastStudied ?? day, day)
        }
    }
}

/// The items of lessons that a learner wants to see.
public struct LessonFilter: Equatable, Sendable {
    public var level: LessonItem.Level?
    /// A sub-topic of words, in any case. Items of other kinds have none.
    public var subtopic: String?

    public init(level: LessonItem.Level? = nil, subtopic: String? = nil) {
        (self.level, self.subtopic) = (level, subtopic)
    }

    public func keeps(_ item: LessonItem) -> Bool {
        if let level, item.level != level { return false }
        guard let subtopic else { return true }
        guard case .word(let word) = item else { return false }
        return word.subtopic.lowercased() == subtopic.lowercased()
    }
}

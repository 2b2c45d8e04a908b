/// The changes that a new plan would make, shown before the learner accepts it. Two tasks are the same if their links
/// are.
public struct PlanPreview: Equatable, Sendable {
    public struct Item: Equatable, Sendable {
        /// The day in the new plan or, for a removed task, in the old one.
        public let day: Weekday
        public let title: String
        public let link: PlanLink
        /// The earlier day of a task that moves.
        public let from: Weekday?
    }

    public private(set) var added: [Item] = []
    public private(set) var removed: [Item] = []
    public private(set) var moved: [Item] = []
    public private(set) var kept: [Item] = []

    /// Compares two plans.
    ///
    /// - Parameter old: the present plan. If nil, everything is new.
    public init(from old: StudyPlan?, to new: StudyPlan) {
        // Compared with a plan for another week, everything is new.
        var left = old?.weekOf == new.weekOf ? old?.tasks ?? [] : []
        var others: [(day: Weekday, task: PlanTask)] = []
        for (day, task) in new.tasks {
            if let place = left.firstIndex(where: { $0.day == day && $0.task.link == task.link }) {
                left.remove(at: place)
                kept.append(Item(day: day, title: task.title, link: task.link, from: nil))
            } else {
                others.append((day, task))
            }
        }
        for (day, task) in others {
            if let place = left.firstIndex(where: { $0.task.link == task.link }) {
                moved.append(Item(day: day, title: task.title, link: task.link, from: left.remove(at: place).day))
            } else {
                added.append(Item(day: day, title: task.title, link: task.link, from: nil))
            }
        }
        removed = left.map { Item(day: $0.day, title: $0.task.title, link: $0.task.link, from: nil) }
    }

    /// Whether no task changes. Blocks and resources may still differ.
    public var isEmpty: Bool { added.isEmpty && removed.isEmpty && moved.isEmpty }

    /// One line for each change, and one with the number of tasks that stay.
    public var lines: [String] {
        removed.map { "- \($0.day.rawValue): \($0.title)" } + added.map { "+ \($0.day.rawValue): \($0.title)" }
            + moved.map { "> \($0.day.rawValue): \($0.title) (was on \($0.from?.rawValue ?? ""))" }
            + ["\(kept.count) unchanged"]
    }
}

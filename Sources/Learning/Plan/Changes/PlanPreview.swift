/// What a new plan would change, before anybody takes it: tasks are the same where their links are.
public struct PlanPreview: Equatable, Sendable {
    public struct Item: Equatable, Sendable {
        /// On the new plan's day; of what goes, on the old one's.
        public let day: Weekday
        public let title: String
        public let link: PlanLink
        /// The day on which it was before, of what moves.
        public let from: Weekday?
    }

    public private(set) var added: [Item] = []
    public private(set) var removed: [Item] = []
    public private(set) var moved: [Item] = []
    public private(set) var kept: [Item] = []

    /// - Parameter old: nil where there is none; then all is new.
    public init(from old: StudyPlan?, to new: StudyPlan) {
        // Of another week's plan nothing stays where it was.
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

    /// No task changes; blocks and resources still may.
    public var isEmpty: Bool { added.isEmpty && removed.isEmpty && moved.isEmpty }

    /// A line each for what changes, and one for how many stay.
    public var lines: [String] {
        removed.map { "- \($0.day.rawValue): \($0.title)" } + added.map { "+ \($0.day.rawValue): \($0.title)" }
            + moved.map { "> \($0.day.rawValue): \($0.title) (was on \($0.from?.rawValue ?? ""))" }
            + ["\(kept.count) stay\(kept.count == 1 ? "s" : "")"]
    }
}

public import SystemSupport

/// A learner's profile and all their plans, as stored in a file or a database row. The logs, not the book, record what
/// the learner did.
public struct PlanBook: Codable, Equatable, Sendable {
    /// The version of the file's layout. A reader refuses any other version.
    public static let layoutVersion = 1

    public var version = Self.layoutVersion
    public var profile: LearnerProfile
    public private(set) var history = PlanHistory()

    /// Creates a book without a plan.
    public init(_ profile: LearnerProfile) { self.profile = profile }

    /// Reads a book from its file, strictly.
    ///
    /// - Throws: `Problem.malformed` with the line or field.
    public static func read(from bytes: [UInt8], name: String) throws(Problem) -> PlanBook {
        let book = try JSONFile.decode(
            PlanBook.self, "profile with plans", version: layoutVersion, from: bytes, name: name)
        if let fault = book.profile.fault { throw Problem(.malformed, "\(name): profile.\(fault)") }
        return book
    }

    public var json: [UInt8] { JSONFile.encode(self) }

    /// Returns this week's plan, or next week's if that has already been made. Nil if neither exists.
    public func plan(_ knowledge: PlanKnowledge) -> StudyPlan? {
        history.current.flatMap { $0.weekOf >= knowledge.today.monday ? $0 : nil }
    }

    // MARK: - Another plan

    /// A proposal for the next plan. `proposal` makes the first plan of a new week, or this week's with missed tasks
    /// moved. `anew` plans the rest of this week again. If nothing can be done in this week any more, both plan the
    /// next week.
    public struct Proposal: Equatable, Sendable {
        public let plan: StudyPlan
        public let change: PlanHistory.Change
        public let preview: PlanPreview
    }

    /// Returns the plan to propose, or nil if the present plan still holds.
    public func proposal(_ knowledge: PlanKnowledge) -> Proposal? {
        guard let now = plan(knowledge) else {
            return first(of: knowledge.week(for: profile), knowledge)
        }
        let ticks = PlanTicks(now, knowledge.deeds)
        let week = knowledge.week(for: profile)
        if now.weekOf < week {
            // Nothing can be done in this week any more. Missed tasks go into the next one.
            return ticks.missed(before: knowledge.today).isEmpty ? nil : first(of: week, knowledge)
        }
        guard let moved = now.carrying(ticks, for: profile, knowledge.evidence, today: knowledge.today) else {
            return nil
        }
        return Proposal(plan: moved, change: .carried, preview: PlanPreview(from: now, to: moved))
    }

    /// Returns the first plan of a week, with the tasks that the last one left.
    private func first(of week: StudyDay, _ knowledge: PlanKnowledge) -> Proposal {
        let last = history.current
        let missed = last.map { PlanTicks($0, knowledge.deeds).missed(before: week) } ?? []
        let plan = StudyPlan(for: profile, knowledge.evidence, week: week, carrying: missed)
        return Proposal(plan: plan, change: .made, preview: PlanPreview(from: last, to: plan))
    }

    /// Returns a new plan for this week from its first open day on, for example after the profile changed. It replaces
    /// any present one. Done tasks stay in place.
    public func anew(_ knowledge: PlanKnowledge) -> Proposal {
        let week = knowledge.week(for: profile)
        guard let now = plan(knowledge), now.weekOf >= week else { return first(of: week, knowledge) }
        let next = StudyPlan(for: profile, knowledge.evidence, week: now.weekOf, version: now.version + 1)
        return Proposal(plan: next, change: .made, preview: PlanPreview(from: now, to: next))
    }

    /// Adds a proposed plan to the history.
    ///
    /// - Throws: `Problem.differs` if the plan was changed elsewhere meanwhile.
    public mutating func accept(_ proposal: Proposal) throws(Problem) {
        try history.add(proposal.plan, as: proposal.change)
    }

    /// Returns the first day with a task, if the plan is the learner's first or belongs to a coming week. Nil if that
    /// day is not after `today`.
    fileprivate func beginning(of plan: StudyPlan, after today: StudyDay) -> StudyDay? {
        let isNew = plan.weekOf > today.monday || history.entries.first?.plan.weekOf == plan.weekOf
        return isNew ? plan.firstDay.flatMap { $0 > today ? $0 : nil } : nil
    }

    /// Returns the week and version that a plan from outside needs to replace the present one.
    public func next(_ knowledge: PlanKnowledge) -> (week: StudyDay, version: Int) {
        let week = knowledge.week(for: profile)
        guard let now = plan(knowledge), now.weekOf >= week else { return (week, 1) }
        return (now.weekOf, now.version + 1)
    }

    /// Adds a plan from outside that keeps the rules. It needs the week and version from `next`.
    ///
    /// - Throws: `Problem.differs` as `accept` does.
    public mutating func take(_ plan: StudyPlan) throws(Problem) { try history.add(plan, as: .made) }

    /// Re-rolls one section of the present plan.
    ///
    /// - Returns: the new plan, or nil without a present plan.
    /// - Throws: `Problem.differs` as `accept` does.
    public mutating func reroll(
        _ section: StudyPlan.Section, _ knowledge: PlanKnowledge
    ) throws(Problem) -> StudyPlan? {
        guard let now = plan(knowledge) else { return nil }
        let next = now.rerolled(
            section, for: profile, knowledge.evidence, done: PlanTicks(now, knowledge.deeds).done)
        try history.add(next, as: .rerolled, of: section)
        return next
    }

    /// Undoes the latest change in this week. Returns nil if there is nothing to undo.
    public mutating func undo(_ knowledge: PlanKnowledge) -> PlanHistory.Undone? {
        plan(knowledge) == nil ? nil : history.undo()
    }
}

/// The learner's view of their plan on one day. All of it is derived.
public struct PlanDay: Sendable {
    public let today: StudyDay
    /// This week's plan, or next week's if that has already been made. Nil if neither exists.
    public let plan: StudyPlan?
    /// The first day with a task, until it comes.
    public let begins: StudyDay?
    /// The ticks of `plan`.
    public let ticks: PlanTicks?
    /// 0 to 1: see `PlanScore`. Nil before the first plan.
    public let score: Double?
    /// The days to the test, 0 on its day. Nil without a test, or when it is over.
    public let daysToTest: Int?

    public init(_ book: PlanBook, _ knowledge: PlanKnowledge) {
        today = knowledge.today
        plan = book.plan(knowledge)
        begins = plan.flatMap { book.beginning(of: $0, after: knowledge.today) }
        ticks = plan.map { PlanTicks($0, knowledge.deeds) }
        daysToTest = book.profile.testDate.map { knowledge.today.distance(to: $0) }.flatMap { $0 >= 0 ? $0 : nil }
        // The last plan of each week counts.
        let weeks = Set(book.history.entries.map(\.plan.weekOf)).sorted()
        let shares = weeks.compactMap { book.history.plan(of: $0) }.reduce(into: [StudyDay: Double]()) { shares, plan in
            shares.merge(PlanTicks(plan, knowledge.deeds).shares) { $1 }
        }
        score = weeks.first.map {
            PlanScore(
                shares, from: max($0, book.history.firstDay(of: $0) ?? $0), through: knowledge.today,
                on: Set(book.profile.availableDays), rest: knowledge.rest
            ).value
        }
    }

    /// Today's tasks with their states, in order.
    public var tasks: [(task: PlanTask, state: PlanTicks.State)] {
        guard let plan, plan.weekOf == today.monday else { return [] }
        return (plan.dailyTasks[Weekday(of: today)] ?? []).map { ($0, ticks?.states[$0.id] ?? .open) }
    }
}

extension PlanHistory {
    /// Returns the first day with tasks in the first plan of a week. A learner who begins on a Wednesday did not miss
    /// Monday.
    fileprivate func firstDay(of week: StudyDay) -> StudyDay? {
        guard let first = entries.first(where: { $0.plan.weekOf == week })?.plan else { return nil }
        return Weekday.allCases.first { !(first.dailyTasks[$0] ?? []).isEmpty }.map { first.day($0) }
    }
}

public import SystemSupport

/// A learner's profile and all their plans, as a file or a row of a database holds them. What was done stands in logs, and not here.
public struct PlanBook: Codable, Equatable, Sendable {
    /// The version of this file's own layout; a reader refuses any other.
    public static let layoutVersion = 1

    public var version = Self.layoutVersion
    public var profile: LearnerProfile
    public private(set) var history = PlanHistory()

    /// A book without a plan.
    public init(_ profile: LearnerProfile) { self.profile = profile }

    /// Reads a book from its file, strictly.
    ///
    /// - Throws: `Problem.malformed` with line or field.
    public static func read(from bytes: [UInt8], name: String) throws(Problem) -> PlanBook {
        let book = try JSONFile.decode(
            PlanBook.self, "profile with plans", version: layoutVersion, from: bytes, name: name)
        if let fault = book.profile.fault { throw Problem(.malformed, "\(name): profile.\(fault)") }
        return book
    }

    public var json: [UInt8] { JSONFile.encode(self) }

    /// This week's plan, or the one that begins next week if that is made already; nil if there is neither.
    public func plan(_ knowledge: PlanKnowledge) -> StudyPlan? {
        history.current.flatMap { $0.weekOf >= knowledge.today.monday ? $0 : nil }
    }

    // MARK: - Another plan

    /// What another plan would be: a new week's; this week's without what was missed; or, where the profile is another one, the rest of this week anew.
    /// If nothing can be done in this week any more, a new plan is the next week's.
    public struct Proposal: Equatable, Sendable {
        public let plan: StudyPlan
        public let change: PlanHistory.Change
        public let preview: PlanPreview
    }

    /// - Returns: nil where the plan that is there holds.
    public func proposal(_ knowledge: PlanKnowledge) -> Proposal? {
        guard let now = plan(knowledge) else {
            return first(of: knowledge.week(for: profile), knowledge)
        }
        let ticks = PlanTicks(now, knowledge.deeds)
        let week = knowledge.week(for: profile)
        if now.weekOf < week {
            // Nothing can be done in this week any more: what was missed goes into the next one.
            return ticks.missed(before: knowledge.today).isEmpty ? nil : first(of: week, knowledge)
        }
        guard let moved = now.carrying(ticks, for: profile, knowledge.evidence, today: knowledge.today) else {
            return nil
        }
        return Proposal(plan: moved, change: .carried, preview: PlanPreview(from: now, to: moved))
    }

    /// A week's first plan, with what the last one left.
    private func first(of week: StudyDay, _ knowledge: PlanKnowledge) -> Proposal {
        let last = history.current
        let missed = last.map { PlanTicks($0, knowledge.deeds).missed(before: week) } ?? []
        let plan = StudyPlan(for: profile, knowledge.evidence, week: week, carrying: missed)
        return Proposal(plan: plan, change: .made, preview: PlanPreview(from: last, to: plan))
    }

    /// A plan of this week from its first open day on, whatever the present one is: after a profile was changed, say. What is done stays where it was.
    public func anew(_ knowledge: PlanKnowledge) -> Proposal {
        let week = knowledge.week(for: profile)
        guard let now = plan(knowledge), now.weekOf >= week else { return first(of: week, knowledge) }
        let next = StudyPlan(for: profile, knowledge.evidence, week: now.weekOf, version: now.version + 1)
        return Proposal(plan: next, change: .made, preview: PlanPreview(from: now, to: next))
    }

    /// - Throws: `Problem.differs` where somebody else changed the plan meanwhile.
    public mutating func accept(_ proposal: Proposal) throws(Problem) {
        try history.add(proposal.plan, as: proposal.change)
    }

    /// The first day with a task of the first plan that there was, or of one of a week to come; nil if it is not after `today`.
    fileprivate func beginning(of plan: StudyPlan, after today: StudyDay) -> StudyDay? {
        let isNew = plan.weekOf > today.monday || history.entries.first?.plan.weekOf == plan.weekOf
        return isNew ? plan.firstDay.flatMap { $0 > today ? $0 : nil } : nil
    }

    /// The week and the version that a plan from outside has to have if it is to take the present one's place.
    public func next(_ knowledge: PlanKnowledge) -> (week: StudyDay, version: Int) {
        let week = knowledge.week(for: profile)
        guard let now = plan(knowledge), now.weekOf >= week else { return (week, 1) }
        return (now.weekOf, now.version + 1)
    }

    /// A plan from outside that keeps the rules: for the week and with the version of `next`.
    ///
    /// - Throws: `Problem.differs` as `accept`.
    public mutating func take(_ plan: StudyPlan) throws(Problem) { try history.add(plan, as: .made) }

    /// - Returns: nil without a plan.
    /// - Throws: `Problem.differs` as `accept`.
    public mutating func reroll(
        _ section: StudyPlan.Section, _ knowledge: PlanKnowledge
    ) throws(Problem) -> StudyPlan? {
        guard let now = plan(knowledge) else { return nil }
        let next = now.rerolled(
            section, for: profile, knowledge.evidence, done: PlanTicks(now, knowledge.deeds).done)
        try history.add(next, as: .rerolled, of: section)
        return next
    }

    /// - Returns: nil where there is nothing to undo in this week.
    public mutating func undo(_ knowledge: PlanKnowledge) -> PlanHistory.Undone? {
        plan(knowledge) == nil ? nil : history.undo()
    }
}

/// What a learner sees of their plan on a day; all of it derived.
public struct PlanDay: Sendable {
    public let today: StudyDay
    /// This week's, or the one that begins next week; nil if there is neither.
    public let plan: StudyPlan?
    /// The first day with a task, while that is still to come.
    public let begins: StudyDay?
    /// Of `plan`.
    public let ticks: PlanTicks?
    /// 0 … 1; see `PlanScore`. Nil before there was a plan.
    public let score: Double?
    /// Days to the test, 0 on its day; nil where there is none, or it is over.
    public let daysToTest: Int?

    public init(_ book: PlanBook, _ knowledge: PlanKnowledge) {
        today = knowledge.today
        plan = book.plan(knowledge)
        begins = plan.flatMap { book.beginning(of: $0, after: knowledge.today) }
        ticks = plan.map { PlanTicks($0, knowledge.deeds) }
        daysToTest = book.profile.testDate.map { knowledge.today.distance(to: $0) }.flatMap { $0 >= 0 ? $0 : nil }
        // Of each week its last plan.
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
    /// The first day of a week on which its first plan had tasks: whoever begins on a Wednesday did not miss Monday.
    fileprivate func firstDay(of week: StudyDay) -> StudyDay? {
        guard let first = entries.first(where: { $0.plan.weekOf == week })?.plan else { return nil }
        return Weekday.allCases.first { !(first.dailyTasks[$0] ?? []).isEmpty }.map { first.day($0) }
    }
}

/// Makes a week's plan from the profile and the evidence by fixed rules. The same input and version make the same plan,
/// byte for byte. Imports nothing, reads no clock and uses no random numbers.
struct PlanMaker {
    let profile: LearnerProfile
    let evidence: PlanEvidence
    let week: StudyDay
    let version: Int
    let frame: WeekFrame

    private let needs: [PlanNeed]
    /// The number of tasks that serve each need, by the need's index.
    private var used: [Int]
    /// The tasks of each day, by the day's index in the frame.
    private(set) var days: [[PlanTask]]
    private var notes: [PlanNote]

    init(_ profile: LearnerProfile, _ evidence: PlanEvidence, week: StudyDay, version: Int) {
        self.profile = profile
        self.evidence = evidence
        self.week = week.monday
        self.version = version
        let frame = WeekFrame(profile, week: week, asOf: evidence.asOf)
        self.frame = frame
        notes = frame.notes
        days = frame.days.map { _ in [] }
        let found = PlanNeeds(profile, evidence, version: version)
        let whole = PlanLink.sit(.init(profile.format ?? .exam))
        // A learner who sat a whole exam this week sits no other.
        let isSat = evidence.exams.contains {
            $0.isWhole && $0.format == (profile.format ?? .exam) && $0.day.monday == week.monday
        }
        let mayBeWhole =
            !isSat && frame.days.contains { $0.takes(whole) && DayLayout.fits([("", whole.usualMinutes)], on: $0) }
        wantsParts = !isSat && !mayBeWhole && !evidence.isEmpty
        needs = found.all
        used = needs.map { _ in 0 }
        wantsWhole = mayBeWhole
    }

    private let wantsWhole: Bool
    private let wantsParts: Bool

    // MARK: - The whole plan

    mutating func plan(carrying missed: [MissedTask] = []) -> StudyPlan {
        if wantsWhole { addExam() }
        if wantsParts { addParts() }
        carry(missed)
        fill()
        order()
        number()
        var plan = StudyPlan(weekOf: week, version: version)
        for (place, day) in frame.days.enumerated() {
            plan.dailyTasks[day.weekday] = days[place]
            plan.timeBlocks[day.weekday] =
                days[place].isEmpty ? [] : DayLayout.best(days[place].map { ($0.id, $0.minutes) }, on: day) ?? []
        }
        if evidence.isEmpty, days.contains(where: { !$0.isEmpty }) {
            notes.append(PlanNote(.starter, "A starter week, to find out where you stand."))
        }
        plan.notes = notes + dayNotes
        plan.milestones = milestones
        plan.resources = resources
        return plan
    }

    private var dayNotes: [PlanNote] {
        frame.days.enumerated().compactMap { place, day in
            guard !days[place].isEmpty else {
                return PlanNote(.empty, day: day.weekday, frame.reason(forEmpty: day))
            }
            let planned = days[place].reduce(0) { $0 + $1.minutes }
            return day.room - planned >= Self.worthSaying
                ? PlanNote(
                    .free, day: day.weekday, "\(planned) of \(day.room) minutes are planned. The rest is free.")
                : nil
        }
    }

    private static let worthSaying = 30

    // MARK: - A whole exam a week

    /// Adds the exam on the day with the most time. Among equal days it takes the last but one, so that a day is left
    /// for the review.
    private mutating func addExam() {
        let link = PlanLink.sit(.init(profile.format ?? .exam))
        let able = frame.days.indices.filter {
            frame.days[$0].takes(link) && DayLayout.fits([("", link.usualMinutes)], on: frame.days[$0])
        }
        guard let most = able.map({ frame.days[$0].room }).max() else { return }
        let best = able.filter { frame.days[$0].room == most }
        let place = best.count > 1 ? best[best.count - 2] : best[0]
        let reason =
            evidence.isEmpty
            ? "You have no results yet. A whole exam shows the most."
            : "One a week, under exam conditions, shows what your practice achieved."
        add(evidence.choice(link, reason), minutes: link.usualMinutes, to: place)
        let look = PlanLink.review(session: "last")
        // Adds the review on the next day that has room for it.
        for next in frame.days.indices.dropFirst(place + 1) where stands(look, on: next) {
            let reason =
                "You sit an exam on \(frame.days[place].weekday.rawValue). Reviewing it helps more than sitting another."
            add(evidence.choice(look, reason), minutes: minutes(of: look, on: next) ?? 0, to: next)
            break
        }
    }

    /// Adds one part of the exam a day, on the first days with enough time.
    private mutating func addParts() {
        let format = profile.format ?? .exam
        let reason = "No day of this week has room for a whole exam, so you sit it in parts."
        for part in 1...PlanLink.Sitting.partCount(of: format) {
            let link = PlanLink.sit(.init(format, part: part))
            for place in frame.days.indices where stands(link, on: place) {
                guard let minutes = minutes(of: link, on: place) else { continue }
                add(evidence.choice(link, reason), minutes: minutes, to: place)
                break
            }
        }
    }

    // MARK: - Missed tasks

    /// Adds missed tasks, at most two a day and the latest first. The rest expires.
    private mutating func carry(_ missed: [MissedTask]) {
        let sorted = missed.enumerated().sorted { ($1.element.missedOn, $0.offset) < ($0.element.missedOn, $1.offset) }
            .map(\.element)
        var expired: [MissedTask] = []
        for one in sorted {
            let place = frame.days.indices.first { place in
                days[place].count { $0.carriedFrom != nil } < PlanPacing.carriedADay
                    && one.missedOn.distance(to: frame.days[place].day) <= PlanPacing.carriedDays
                    && one.missedOn < frame.days[place].day
                    && stands(one.task.link, on: place)
                    && minutes(of: one.task.link, atMost: one.task.minutes, on: place) != nil
            }
            guard let place, let minutes = minutes(of: one.task.link, atMost: one.task.minutes, on: place) else {
                expired.append(one)
                continue
            }
            days[place].append(
                PlanTask(
                    id: "", title: one.task.title, link: one.task.link, minutes: minutes, reason: one.task.reason,
                    carriedFrom: one.task.carriedFrom ?? one.missedOn))
        }
        notes += expired.map {
            PlanNote(.expired, "You missed \($0.task.title) of \($0.missedOn.text). It was dropped from the plan.")
        }
    }

    // MARK: - Needs

    /// Adds one task to each day in turn, so that scarce needs are spread over the week.
    private mutating func fill() {
        for _ in 0..<PlanPacing.tasksADay {
            for place in frame.days.indices where days[place].count < PlanPacing.tasksADay {
                guard let (need, choice, minutes) = next(on: place) else { continue }
                used[need] += 1
                add(choice, minutes: minutes, to: place)
            }
        }
    }

    /// Returns the first choice that may be on the day, from the need that has had the smallest part of its share.
    ///
    /// - Parameter exact: the minutes that the task must take.
    mutating func next(
        on place: Int, exact: Int? = nil, except old: PlanLink? = nil
    ) -> (need: Int, choice: PlanNeed.Choice, minutes: Int)? {
        let left = frame.days[place].budget - days[place].reduce(0) { $0 + $1.minutes }
        guard left >= PlanPacing.leastMinutes else { return nil }
        let order = needs.indices.sorted {
            // (used + 1) / weight, without fractions.
            ((used[$0] + 1) * needs[$1].weight, $0) < ((used[$1] + 1) * needs[$0].weight, $1)
        }
        for need in order where used[need] < needs[need].most && !(frame.days[place].isTaper && needs[need].rule.isNew)
        {
            let choices = needs[need].choices
            // Choices take turns, starting from the last one used. The most urgent due item always comes first.
            let first = needs[need].rule == .due ? 0 : used[need] % choices.count
            for choice in choices[first...] + choices[..<first]
            where choice.link != old && stands(choice.link, on: place)
                && (needs[need].rule != .follow || isRead(choice.link, before: place))
            {
                if let exact {
                    guard
                        (choice.link.leastMinutes...max(choice.link.usualMinutes, choice.link.leastMinutes)).contains(
                            exact)
                    else { continue }
                    return weighty(need, choice, exact)
                }
                if let minutes = minutes(of: choice.link, on: place) { return weighty(need, choice, minutes) }
            }
        }
        return nil
    }

    /// Returns the same choice for a weakness that also asks for it, if there is one. The plan then shows that weakness
    /// as the reason and counts it as served.
    private func weighty(
        _ need: Int, _ choice: PlanNeed.Choice, _ minutes: Int
    ) -> (need: Int, choice: PlanNeed.Choice, minutes: Int) {
        guard !needs[need].rule.isWeakness else { return (need, choice, minutes) }
        for (place, other) in needs.enumerated() where other.rule.isWeakness {
            if let same = other.choices.first(where: { $0.link == choice.link }) { return (place, same, minutes) }
        }
        return (need, choice, minutes)
    }

    mutating func serve(_ need: Int) { used[need] += 1 }

    /// Returns whether a link may be on a day, given that day's tasks and those of the days around it.
    func stands(_ link: PlanLink, on place: Int) -> Bool {
        let day = frame.days[place]
        guard day.takes(link), !day.isTaper || !evidence.isNew(link) else { return false }
        if days[place].contains(where: { $0.link == link }) { return false }
        // A day does not have both a whole pack and a part of it.
        if case .drill(let pack, let topic) = link,
            days[place].contains(where: { other in
                if case .drill(pack, let others) = other.link { topic == nil || others == nil } else { false }
            })
        {
            return false
        }
        // An exam is reviewed only once a week.
        if link.kind == .review, days.joined().contains(where: { $0.link == link }) { return false }
        // One exam a day, whole or in part, because more would tire the learner.
        if link.kind == .exam, days[place].contains(where: { $0.link.kind == .exam }) { return false }
        // A whole exam is planned only once a week.
        if case .sit(let sitting) = link, sitting.isWhole, days.joined().contains(where: { $0.link == link }) {
            return false
        }
        guard !evidence.isDue(link) else { return true }
        for (other, tasks) in zip(frame.days, days) where abs(other.day.distance(to: day.day)) == 1 {
            if tasks.contains(where: { $0.link == link }) { return false }
        }
        // A pack that was practised the day before is left out, too.
        if case .drill(let pack, _) = link, let last = evidence.practice.pack(pack)?.lastDay,
            last.distance(to: day.day) == 1
        {
            return false
        }
        return true
    }

    /// Returns whether the plan has the pack's lesson on an earlier day.
    private func isRead(_ link: PlanLink, before place: Int) -> Bool {
        guard case .drill(let pack, _) = link else { return false }
        return days[..<place].joined().contains { $0.link == .lesson(pack) }
    }

    /// Returns the usual minutes of a link, or the least if the day has no more time. Nil if that does not fit either.
    private func minutes(of link: PlanLink, atMost most: Int = .max, on place: Int) -> Int? {
        let before = days[place].map { ("", $0.minutes) }
        let usual = max(link.leastMinutes, min(link.usualMinutes, most))
        for minutes in [usual, link.leastMinutes] where DayLayout.fits(before + [("", minutes)], on: frame.days[place])
        {
            return minutes
        }
        return nil
    }

    private mutating func add(_ choice: PlanNeed.Choice, minutes: Int, to place: Int) {
        guard minutes > 0 else { return }
        days[place].append(
            PlanTask(id: "", title: choice.title, link: choice.link, minutes: minutes, reason: choice.reason))
    }

    /// Sorts the tasks of each day: missed tasks first, then the exam while the learner is fresh, the review, due
    /// items, lessons before their drills, and speaking.
    private mutating func order() {
        func rank(_ task: PlanTask) -> Int {
            if task.carriedFrom != nil { return 0 }
            if evidence.isDue(task.link) { return 3 }
            return switch task.link.kind {
            case .exam: 1
            case .review: 2
            case .lesson: 4
            case .drill: 5
            case .test: 6
            case .speaking: 7
            }
        }
        for place in days.indices {
            let sorted = days[place].enumerated().sorted {
                (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
            }.map(\.element)
            // Between constraints, another order may not fit.
            if DayLayout.fits(sorted.map { ("", $0.minutes) }, on: frame.days[place]) { days[place] = sorted }
        }
    }

    /// Names the tasks after their places.
    private mutating func number() {
        for (place, day) in frame.days.enumerated() {
            for task in days[place].indices {
                days[place][task].id = "\(day.weekday.rawValue.lowercased())-\(task + 1)"
            }
        }
    }

    /// Sets the tasks that exist already, to re-roll some of them.
    mutating func put(_ tasks: [[PlanTask]]) { days = tasks }
}

/// A task that was not done on its day.
public struct MissedTask: Equatable, Sendable {
    public var task: PlanTask
    public var missedOn: StudyDay

    public init(_ task: PlanTask, missedOn: StudyDay) {
        self.task = task
        self.missedOn = missedOn
    }
}

extension StudyPlan {
    /// Makes a week's plan by fixed rules.
    ///
    /// - Parameters:
    ///   - profile: a profile without `fault`. An invalid one also gets a plan, though an emptier one.
    ///   - week: any day of the week. `PlanKnowledge.week(for:)` returns the one that still has time.
    ///   - version: 1 for the first plan. Other versions choose differently among equally good tasks.
    ///   - missed: tasks of earlier days that were not done: see `PlanTicks.missed`.
    public init(
        for profile: LearnerProfile, _ evidence: PlanEvidence, week: StudyDay, version: Int = 1,
        carrying missed: [MissedTask] = []
    ) {
        var maker = PlanMaker(profile, evidence, week: week, version: version)
        self = maker.plan(carrying: missed)
    }
}

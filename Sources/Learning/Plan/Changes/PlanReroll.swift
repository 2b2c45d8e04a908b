public import ExamCore

extension StudyPlan {
    /// A section of a plan that can be made again separately.
    public enum Section: String, Choice {
        case resources, timeBlocks, dailyTasks
    }

    /// Returns the plan with another version of one section. The other sections keep the same bytes in `json`, except
    /// `version`, which increases by one.
    ///
    /// A task that replaces another takes its id and its minutes, so that the blocks still fit. Done tasks stay, and so
    /// do whole exams, carried tasks and past days. If nothing else fits, a task or a block also stays.
    ///
    /// - Parameters:
    ///   - done: the ids of the done tasks: see `PlanTicks.done`.
    public func rerolled(
        _ section: Section, for profile: LearnerProfile, _ evidence: PlanEvidence, done: Set<String> = []
    ) -> StudyPlan {
        var next = self
        next.version = version + 1
        var maker = PlanMaker(profile, evidence, week: weekOf, version: next.version)
        maker.put(maker.frame.days.map { dailyTasks[$0.weekday] ?? [] })
        switch section {
        case .resources: next.resources = maker.resources
        case .timeBlocks:
            for day in maker.frame.days where day.closed == nil {
                next.timeBlocks[day.weekday] = movedBlocks(on: day, version: next.version, done)
            }
        case .dailyTasks:
            for (place, day) in maker.frame.days.enumerated() where day.closed == nil {
                for number in maker.days[place].indices {
                    maker.replace(place, number, done)
                }
                next.dailyTasks[day.weekday] = maker.days[place]
            }
        }
        return next
    }

    /// Returns blocks at another time of the day. Blocks with a done task stay.
    private func movedBlocks(on day: WeekFrame.Day, version: Int, _ done: Set<String>) -> [TimeBlock] {
        let old = timeBlocks[day.weekday] ?? []
        let fixed = old.filter { !done.isDisjoint(with: $0.tasks) }
        let stay = Set(fixed.flatMap(\.tasks))
        let tasks = (dailyTasks[day.weekday] ?? []).filter { !stay.contains($0.id) }
        guard !tasks.isEmpty else { return old }
        let first = (version - 1) % PlanPacing.starts.count
        return DayLayout.best(
            tasks.map { ($0.id, $0.minutes) }, on: day,
            preferring: Array(PlanPacing.starts[first...] + PlanPacing.starts[..<first]), around: fixed, otherThan: old)
            ?? old
    }
}

extension PlanMaker {
    /// Replaces a task with another one that has the same id and minutes, unless it has to stay.
    fileprivate mutating func replace(_ place: Int, _ number: Int, _ done: Set<String>) {
        let old = days[place][number]
        guard !done.contains(old.id), old.carriedFrom == nil, !old.isOfExam else { return }
        var others = days
        others[place].remove(at: number)
        let all = days
        put(others)
        guard let (need, choice, minutes) = next(on: place, exact: old.minutes, except: old.link) else {
            return put(all)
        }
        serve(need)
        others[place].insert(
            PlanTask(id: old.id, title: choice.title, link: choice.link, minutes: minutes, reason: choice.reason),
            at: number)
        put(others)
    }
}

extension PlanTask {
    /// Whether the task is the week's whole exam or a review.
    fileprivate var isOfExam: Bool {
        switch link {
        case .sit(let sitting): sitting.isWhole
        case .review: true
        default: false
        }
    }
}

public import ExamCore

extension StudyPlan {
    /// What of a plan can be asked for anew by itself (V5).
    public enum Section: String, Choice {
        case resources, timeBlocks, dailyTasks
    }

    /// Another version of one section; the others are the same, byte for byte in `json`, but for `version`, which is one more.
    ///
    /// Tasks that come into another's place take its id and its minutes, so that the blocks go on fitting. What is done stays, and so do whole exams, what was
    /// carried over, and days that are over. Where nothing else fits, a task or a block stays as well.
    ///
    /// - Parameters:
    ///   - done: ids of tasks; see `PlanTicks.done`.
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

    /// Blocks at another time of the day; those with something done stay.
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
    /// Another task in the place of one that may go, with its id and minutes.
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
    /// The week's whole exam, or the look at it.
    fileprivate var isOfExam: Bool {
        switch link {
        case .sit(let sitting): sitting.isWhole
        case .review: true
        default: false
        }
    }
}

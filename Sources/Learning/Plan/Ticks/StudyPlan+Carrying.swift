extension StudyPlan {
    /// What was missed in this week, moved to what is left of it: what was missed last first, two a day at most, where budget, constraints and spacing
    /// allow it; whatever else was there stays where it was. What has no place expires, and stands where it was missed. Show `PlanPreview` before it takes
    /// the old one's place.
    ///
    /// - Parameters:
    ///   - ticks: of this plan.
    ///   - today: the first day that takes something.
    /// - Returns: the next version; nil where nothing was missed that is not said to be let go already.
    public func carrying(
        _ ticks: PlanTicks, for profile: LearnerProfile, _ evidence: PlanEvidence, today: StudyDay
    ) -> StudyPlan? {
        let missed = ticks.missed(before: today).enumerated().sorted {
            ($1.element.missedOn, $0.offset) < ($0.element.missedOn, $1.offset)
        }.map(\.element)
        var next = self
        var maker = PlanMaker(profile, evidence, week: weekOf, version: version + 1)
        let open = maker.frame.days.indices.filter { maker.frame.days[$0].day >= today }
        for one in missed {
            let from = Weekday(of: one.missedOn)
            var without = next
            without.dailyTasks[from]?.removeAll { $0.id == one.task.id }
            maker.put(maker.frame.days.map { without.dailyTasks[$0.weekday] ?? [] })
            var task = one.task
            // What is left of a task still takes what anything takes.
            task.minutes = max(task.minutes, min(task.link.leastMinutes, task.link.usualMinutes))
            task.carriedFrom = task.carriedFrom ?? one.missedOn
            let place = open.first { place in
                let tasks = maker.days[place]
                return tasks.count { $0.carriedFrom != nil } < PlanPacing.carriedADay
                    && (task.carriedFrom?.distance(to: maker.frame.days[place].day) ?? 0) <= PlanPacing.carriedDays
                    && tasks.count < PlanPacing.tasksADay && maker.stands(task.link, on: place)
                    && next.fits(task, beside: tasks, on: maker.frame.days[place], of: profile)
            }
            let day = place.map { maker.frame.days[$0] }
            guard let day,
                let blocks = DayLayout.best(
                    [(task.id, task.minutes)], on: day, around: next.timeBlocks[day.weekday] ?? [])
            else {
                let note = PlanNote(
                    .expired, "\(one.task.title) of \(one.missedOn.text) was missed, and is let go: a plan is no debt.")
                if !next.notes.contains(note) { next.notes.append(note) }
                continue
            }
            next = without
            next.take(task.id, off: from)
            next.dailyTasks[day.weekday, default: []].append(task)
            next.timeBlocks[day.weekday] = blocks
            next.notes.removeAll { $0.day == day.weekday && [.empty, .free].contains($0.about) }
            if next.dailyTasks[from]?.isEmpty ?? true {
                next.notes.append(
                    PlanNote(.empty, day: from, "What stood here was missed, and stands on a later day now."))
            }
        }
        guard next != self else { return nil }
        next.version = version + 1
        return next
    }

    /// Whether a day has room for a task beside those that are planned for it. These may have stood in hours that have passed by now, so the whole day
    /// is looked at for all of them, and what is left of it for the task.
    private func fits(
        _ task: PlanTask, beside tasks: [PlanTask], on day: WeekFrame.Day, of profile: LearnerProfile
    ) -> Bool {
        let whole = WeekFrame(profile, week: weekOf).days.first { $0.day == day.day } ?? day
        return DayLayout.fits((tasks + [task]).map { ($0.id, $0.minutes) }, on: whole)
            && DayLayout.best([(task.id, task.minutes)], on: day, around: timeBlocks[day.weekday] ?? []) != nil
    }

    /// Out of its block, which ends where the others of it do.
    private mutating func take(_ id: String, off day: Weekday) {
        let minutes = Dictionary((dailyTasks[day] ?? []).map { ($0.id, $0.minutes) }) { first, _ in first }
        timeBlocks[day] = (timeBlocks[day] ?? []).compactMap { block in
            guard block.tasks.contains(id) else { return block }
            var block = block
            block.tasks.removeAll { $0 == id }
            block.end = ClockTime(minutes: block.begin.minutes + block.tasks.reduce(0) { $0 + (minutes[$1] ?? 0) })
            return block.tasks.isEmpty ? nil : block
        }
    }
}

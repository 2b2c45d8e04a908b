extension StudyPlan {
    /// Returns a plan in which this week's missed tasks are moved to the remaining days: the latest first, at most two
    /// a day, if budget, constraints and spacing allow it. All other tasks stay. A missed task that fits nowhere
    /// expires and keeps its place. Show the learner a `PlanPreview` before the new plan replaces the old one.
    ///
    /// - Parameters:
    ///   - ticks: the ticks of this plan.
    ///   - today: the first day that can receive tasks.
    /// - Returns: the next version. Nil if every missed task is already noted as expired.
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
            // The rest of a task still takes the least minutes of its kind.
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
                    .expired, "You missed \(one.task.title) of \(one.missedOn.text). It was dropped from the plan.")
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
                    PlanNote(.empty, day: from, "The tasks of this day were missed and moved to later days."))
            }
        }
        guard next != self else { return nil }
        next.version = version + 1
        return next
    }

    /// Returns whether a day has room for another task besides its planned ones. The planned tasks may be in hours that
    /// have already passed. So all tasks together are checked against the whole day, and the new one against the time
    /// that is left.
    private func fits(
        _ task: PlanTask, beside tasks: [PlanTask], on day: WeekFrame.Day, of profile: LearnerProfile
    ) -> Bool {
        let whole = WeekFrame(profile, week: weekOf).days.first { $0.day == day.day } ?? day
        return DayLayout.fits((tasks + [task]).map { ($0.id, $0.minutes) }, on: whole)
            && DayLayout.best([(task.id, task.minutes)], on: day, around: timeBlocks[day.weekday] ?? []) != nil
    }

    /// Removes a task from its block and shortens the block to the remaining tasks.
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

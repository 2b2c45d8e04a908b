import Learning

/// A plan as text for people. Pure.
enum PlanText {
    static func lines(_ task: PlanTask, _ state: PlanTicks.State) -> [String] {
        ["[\(state.mark)] \(task.title), \(task.minutes) min", "    \(task.command)"]
            + task.reason.wrapped(to: terminalColumns - 8).map { "    \($0)" }
    }

    /// The message after a first profile: when its plan begins, or why it has no tasks.
    static func kept(_ day: PlanDay) -> String {
        guard day.plan?.firstDay != nil else {
            return "Saved, but no day of this week has room for a task. To see why: oracy plan"
        }
        guard let begins = day.begins else {
            return "Saved, and your first week is planned. To see it: oracy today, oracy plan"
        }
        return "Saved, and your first week is planned from \(named(begins)). To see it: oracy plan"
    }

    /// The day with its weekday: `Monday, 2026-11-30`.
    static func named(_ day: StudyDay) -> String { "\(Weekday(of: day).rawValue), \(day.text)" }

    /// The week, with the state of each task.
    static func lines(_ plan: StudyPlan, _ ticks: PlanTicks, today: StudyDay) -> [String] {
        var lines = ["Week of \(plan.weekOf.text), version \(plan.version)", ""]
        for day in Weekday.allCases {
            let tasks = plan.dailyTasks[day] ?? []
            let notes = plan.notes.filter { $0.day == day }.map(\.text)
            guard !tasks.isEmpty || !notes.isEmpty else { continue }
            let mark = plan.day(day) == today ? "  today" : ""
            lines.append("\(day.rawValue), \(plan.day(day).text)\(mark)")
            for task in tasks {
                let time =
                    plan.time(of: task, on: day).map { "\($0.begin.text)-\($0.end.text)" } ?? "\(task.minutes) min"
                lines.append("  [\(ticks.states[task.id]?.mark ?? " ")] \(time)  \(task.title)")
                lines.append("      \(task.command)")
            }
            lines += notes.flatMap { $0.wrapped(to: terminalColumns - 8).map { "  \($0)" } } + [""]
        }
        let general = plan.notes.filter { $0.day == nil }
        if !general.isEmpty { lines += general.flatMap { $0.text.wrapped(to: terminalColumns - 4) } + [""] }
        if !plan.milestones.isEmpty {
            lines += ["Milestones"] + plan.milestones.map { "  \($0.date.text)  \($0.title)" } + [""]
        }
        if !plan.resources.isEmpty {
            lines.append("Resources")
            for one in plan.resources { lines += ["  \(one.title)", "      \(one.command)"] }
        }
        return lines
    }

    static func lines(_ pack: PrepPack) -> [String] {
        var lines = ["What happens"] + pack.prepOutline.flatMap { hanging("- ", $0) } + [""]
        for day in pack.weeklyDrillPlan {
            lines.append(day.day.rawValue)
            for task in day.drills { lines += ["  \(task.title), \(task.minutes) min", "      \(task.command)"] }
        }
        lines += ["", "Questions to begin with"] + pack.starterQuestions.flatMap { hanging("- ", $0) }
        if !pack.resources.isEmpty {
            lines += ["", "Resources"]
            for one in pack.resources { lines += ["  \(one.title)", "      \(one.command)"] }
        }
        return lines
    }

    private static func hanging(_ label: String, _ text: String) -> [String] { DrillText.hanging("  " + label, text) }
}

extension PlanTicks.State {
    /// The mark between the brackets.
    var mark: String {
        switch self {
        case .open: " "
        case .partly: "/"
        case .done: "x"
        }
    }

    var word: String {
        switch self {
        case .open: "open"
        case .partly: "partly"
        case .done: "done"
        }
    }
}

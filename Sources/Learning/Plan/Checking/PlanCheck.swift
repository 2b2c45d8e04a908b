/// Checks a plan against each rule. It uses the same days as `PlanMaker` (`WeekFrame`), but not its way of filling
/// them.
struct PlanCheck {
    let plan: StudyPlan
    let profile: LearnerProfile
    let evidence: PlanEvidence
    private let frame: WeekFrame

    init(plan: StudyPlan, profile: LearnerProfile, evidence: PlanEvidence) {
        self.plan = plan
        self.profile = profile
        self.evidence = evidence
        // Days that were over when the plan was made may have tasks, because these may be done.
        frame = WeekFrame(profile, week: plan.weekOf)
    }

    func findings(_ rule: PlanRule) -> [PlanFinding] {
        switch rule {
        case .week: week
        case .days: days
        case .budget: budget
        case .overlap: overlap
        case .blocks: blocks
        case .ids: ids
        case .known: known
        case .command: command
        case .minutes:
            each(rule) { (1...240).contains($0.minutes) ? nil : ("minutes", "should be 1 to 240, not \($0.minutes)") }
        case .words: words
        case .spacing: spacing
        case .exam: exam
        case .taper: taper
        case .constraints: constraints
        case .empty: empty
        case .carried: carried
        }
    }

    private func each(
        _ rule: PlanRule, _ fault: (PlanTask) -> (field: String, what: String)?
    ) -> [PlanFinding] {
        Weekday.allCases.flatMap { day in
            (plan.dailyTasks[day] ?? []).enumerated().compactMap { place, task in
                fault(task).map { PlanFinding(rule, "dailyTasks.\(day.rawValue)[\(place)].\($0.field)", $0.what) }
            }
        }
    }

    private var week: [PlanFinding] {
        var found: [PlanFinding] = []
        if plan.weekOf.weekday != 1 { found.append(.init(.week, "weekOf", "\(plan.weekOf.text) is not a Monday")) }
        if !(1...Self.mostVersions).contains(plan.version) {
            found.append(.init(.week, "version", "should be 1 to \(Self.mostVersions), not \(plan.version)"))
        }
        return found
    }

    /// The highest version of a week's plan. More changes are not realistic.
    static let mostVersions = 100_000

    private var days: [PlanFinding] {
        Weekday.allCases.flatMap { day -> [PlanFinding] in
            let isAvailable = profile.availableDays.contains(day)
            return [("dailyTasks", plan.dailyTasks[day]?.count), ("timeBlocks", plan.timeBlocks[day]?.count)].compactMap
            {
                field, count in
                if isAvailable, count == nil {
                    return PlanFinding(.days, field, "\(day.rawValue) is an available day, but missing")
                }
                if !isAvailable, let count, count > 0 {
                    return PlanFinding(.days, "\(field).\(day.rawValue)", "is not an available day")
                }
                return nil
            }
        }
    }

    private var budget: [PlanFinding] {
        frame.days.compactMap { day in
            let minutes = (plan.dailyTasks[day.weekday] ?? []).reduce(0) { $0 + max(0, min($1.minutes, 1440)) }
            let most = profile.minutesADay
            return minutes > most
                ? PlanFinding(.budget, "dailyTasks.\(day.weekday.rawValue)", "take \(minutes) of \(most) minutes") : nil
        }
    }

    private var overlap: [PlanFinding] {
        Weekday.allCases.flatMap { day -> [PlanFinding] in
            var found: [PlanFinding] = []
            var clock = PlanPacing.dayHours.lowerBound
            for (place, block) in (plan.timeBlocks[day] ?? []).enumerated() {
                let field = "timeBlocks.\(day.rawValue)[\(place)]"
                if block.end <= block.begin {
                    found.append(.init(.overlap, "\(field).end", "\(block.end.text) is not after \(block.begin.text)"))
                } else if block.begin.minutes < clock {
                    let before = place == 0 ? "the day begins" : "the one before it ends"
                    found.append(
                        .init(
                            .overlap, "\(field).begin",
                            "\(block.begin.text) is before \(before), \(ClockTime(minutes: clock).text)"))
                }
                clock = max(clock, block.end.minutes)
            }
            return found
        }
    }

    private var blocks: [PlanFinding] {
        Weekday.allCases.flatMap { day -> [PlanFinding] in
            let tasks = plan.dailyTasks[day] ?? []
            let minutes = Dictionary(tasks.map { ($0.id, $0.minutes) }) { first, _ in first }
            var found: [PlanFinding] = []
            var placed: Set<String> = []
            for (place, block) in (plan.timeBlocks[day] ?? []).enumerated() {
                let field = "timeBlocks.\(day.rawValue)[\(place)].tasks"
                if block.tasks.isEmpty { found.append(.init(.blocks, field, "is empty")) }
                for id in block.tasks {
                    if minutes[id] == nil {
                        found.append(.init(.blocks, field, "\(id) is not a task of \(day.rawValue)"))
                    }
                    if !placed.insert(id).inserted { found.append(.init(.blocks, field, "\(id) is there twice")) }
                }
                let needed = block.tasks.reduce(0) { $0 + max(0, min(minutes[$1] ?? 0, 1440)) }
                if needed > block.range.count {
                    found.append(.init(.blocks, field, "take \(needed) of \(block.range.count) minutes"))
                }
            }
            for (place, task) in tasks.enumerated() where !placed.contains(task.id) {
                found.append(.init(.blocks, "dailyTasks.\(day.rawValue)[\(place)].id", "\(task.id) is in no block"))
            }
            return found
        }
    }

    private var ids: [PlanFinding] {
        var seen: Set<String> = []
        return each(.ids) { task in
            if !task.id.isPlanID { return ("id", "should be letters, digits, \".\", \"-\" and \"_\"") }
            return seen.insert(task.id).inserted ? nil : ("id", "\(task.id) is already the id of another task")
        }
    }

    private var known: [PlanFinding] {
        let resources = plan.resources.enumerated().compactMap { place, resource in
            Self.fault(of: resource.link, evidence).map { PlanFinding(.known, "resources[\(place)].link", $0) }
        }
        return each(.known) { task in Self.fault(of: task.link, evidence).map { ("link", $0) } } + resources
    }

    /// Returns why a link leads nowhere. Nil if it leads somewhere, or if the evidence doesn't show it.
    static func fault(of link: PlanLink, _ evidence: PlanEvidence) -> String? {
        let practice = evidence.practice
        switch link {
        case .drill(let id, let topic) where !practice.packs.isEmpty:
            guard let pack = practice.pack(id) else { return "there is no pack \(id)" }
            guard let topic, !pack.topics.contains(topic) else { return nil }
            return "nothing in \(id) is about \(topic)"
        case .lesson(let id) where !practice.packs.isEmpty, .shadow(let id) where !practice.packs.isEmpty:
            return practice.pack(id)?.isLesson == true ? nil : "there is no lesson \(id)"
        case .review(let session) where session != "last" && !evidence.exams.isEmpty:
            return evidence.exams.contains { $0.session.hasPrefix(session) } ? nil : "there is no exam \(session)"
        case .test(let id?) where !evidence.openTests.isEmpty:
            return evidence.openTests.contains(id) ? nil : "there is no test \(id) to take"
        default: return nil
        }
    }

    private var command: [PlanFinding] {
        let resources = plan.resources.enumerated().compactMap { place, resource in
            resource.command == resource.link.command
                ? nil : PlanFinding(.command, "resources[\(place)].command", "should be \"\(resource.link.command)\"")
        }
        return each(.command) { $0.command == $0.link.command ? nil : ("command", "should be \"\($0.link.command)\"") }
            + resources
    }

    private var words: [PlanFinding] {
        func fault(_ text: String) -> String? {
            if text.allSatisfy(\.isWhitespace) { return "is empty" }
            return text.count > Self.longest ? "has more than \(Self.longest) characters" : nil
        }
        let tasks = each(.words) { task in
            fault(task.title).map { ("title", $0) } ?? fault(task.reason).map { ("reason", $0) }
        }
        let milestones = plan.milestones.enumerated().compactMap { place, one in
            fault(one.title).map { PlanFinding(.words, "milestones[\(place)].title", $0) }
        }
        let resources = plan.resources.enumerated().compactMap { place, one in
            (fault(one.title) ?? fault(one.reason)).map { PlanFinding(.words, "resources[\(place)].title", $0) }
        }
        return tasks + milestones + resources
    }

    /// The longest reason in characters. Oracy's own reasons have about 150.
    static let longest = 300

    private var spacing: [PlanFinding] {
        Weekday.allCases.flatMap { day -> [PlanFinding] in
            var today: Set<PlanLink> = []
            let before = Weekday.allCases.first { $0.number == day.number - 1 }.flatMap { plan.dailyTasks[$0] } ?? []
            return (plan.dailyTasks[day] ?? []).enumerated().compactMap { place, task in
                let field = "dailyTasks.\(day.rawValue)[\(place)].link"
                if !today.insert(task.link).inserted {
                    return PlanFinding(.spacing, field, "\(task.link.text) is there twice on \(day.rawValue)")
                }
                return before.contains { $0.link == task.link } && !evidence.isDue(task.link)
                    ? PlanFinding(.spacing, field, "\(task.link.text) is also on the day before, and not due")
                    : nil
            }
        }
    }

    private var exam: [PlanFinding] {
        var count = 0
        return each(.exam) { task in
            guard case .sit(let sitting) = task.link, sitting.isWhole else { return nil }
            count += 1
            return count > 1 ? ("link", "only one whole exam a week is allowed") : nil
        }
    }

    private var taper: [PlanFinding] {
        frame.days.flatMap { day -> [PlanFinding] in
            let tasks = plan.dailyTasks[day.weekday] ?? []
            let field = "dailyTasks.\(day.weekday.rawValue)"
            guard let left = day.daysToTest else { return [] }
            if left <= 0, !tasks.isEmpty { return [.init(.taper, field, "the test is on or before this day")] }
            var found: [PlanFinding] = []
            if day.isTaper {
                let minutes = tasks.reduce(0) { $0 + max(0, min($1.minutes, 1440)) }
                if minutes > day.budget {
                    found.append(
                        .init(
                            .taper, field,
                            "take \(minutes) minutes, but only \(day.budget) are allowed so near the test"))
                }
            }
            for (place, task) in tasks.enumerated() {
                if case .sit(let sitting) = task.link, sitting.isWhole, left <= PlanPacing.restBeforeTest {
                    found.append(
                        .init(.taper, "\(field)[\(place)].link", "a whole exam in the last two days before the test"))
                }
                if day.isTaper, evidence.isNew(task.link) {
                    found.append(
                        .init(.taper, "\(field)[\(place)].link", "\(task.link.text) is new, but the test is near"))
                }
            }
            return found
        }
    }

    private var constraints: [PlanFinding] {
        let named = plan.notes.filter { [.impossible, .notUnderstood].contains($0.about) }.map(\.text)
        let unnamed = (profile.constraints ?? []).filter { text in
            !frame.kept.contains { $0.text == text } && !named.contains { $0.contains(text) }
        }.map { PlanFinding(.constraints, "notes", "\"\($0)\" is not kept, and not mentioned") }
        return unnamed + frame.days.flatMap { day in frame.kept.flatMap { broken($0, on: day) } }
    }

    private func broken(_ constraint: PlanConstraint, on day: WeekFrame.Day) -> [PlanFinding] {
        let tasks = plan.dailyTasks[day.weekday] ?? []
        let blocks = plan.timeBlocks[day.weekday] ?? []
        func found(_ field: String, _ isBroken: Bool) -> [PlanFinding] {
            isBroken ? [.init(.constraints, "\(field).\(day.weekday.rawValue)", "breaks \"\(constraint.text)\"")] : []
        }
        switch constraint.rule {
        case .notOn(let days): return found("dailyTasks", days.contains(day.weekday) && !tasks.isEmpty)
        case .notDuring(let span, let days):
            return found("timeBlocks", days.contains(day.weekday) && blocks.contains { $0.range.overlaps(span) })
        case .atOnce(let minutes): return found("timeBlocks", blocks.contains { $0.range.count > minutes })
        case .aDay(let minutes, let days):
            let sum = tasks.reduce(0) { $0 + max(0, min($1.minutes, 1440)) }
            return found("dailyTasks", days.contains(day.weekday) && sum > minutes)
        case .without(let kinds, let days):
            return found(
                "dailyTasks",
                days.contains(day.weekday)
                    && tasks.contains { kinds.contains($0.link.kind) || (kinds.contains(.speaking) && $0.link.isAloud) }
            )
        case nil: return []
        }
    }

    private var empty: [PlanFinding] {
        frame.days.filter { day in
            (plan.dailyTasks[day.weekday] ?? []).isEmpty
                && !plan.notes.contains { $0.about == .empty && $0.day == day.weekday && !$0.text.isEmpty }
        }.map { PlanFinding(.empty, "dailyTasks.\($0.weekday.rawValue)", "is empty, but no note says why") }
    }

    private var carried: [PlanFinding] {
        let days = Weekday.allCases.compactMap { day -> PlanFinding? in
            let count = (plan.dailyTasks[day] ?? []).count { $0.carriedFrom != nil }
            return count > PlanPacing.carriedADay
                ? PlanFinding(
                    .carried, "dailyTasks.\(day.rawValue)",
                    "has \(count) tasks that were missed before; at most two a day are allowed") : nil
        }
        let old = plan.tasks.filter { day, task in
            task.carriedFrom.map { !(1...PlanPacing.carriedDays).contains($0.distance(to: plan.day(day))) } ?? false
        }.map { day, task in
            PlanFinding(
                .carried, "dailyTasks.\(day.rawValue)", "\(task.id) was not missed in the week before")
        }
        return days + old
    }
}

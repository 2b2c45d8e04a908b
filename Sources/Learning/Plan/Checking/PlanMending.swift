import SystemSupport

/// Mends a model's plan, one rule after the other.
struct PlanMending {
    private let profile: LearnerProfile
    private let evidence: PlanEvidence
    private let week: StudyDay
    private let version: Int
    private(set) var repairs: [PlanDraft.Repair] = []

    /// Places the tasks. Its rules decide which tasks may be on which day.
    private var maker: PlanMaker

    init(_ profile: LearnerProfile, _ evidence: PlanEvidence, week: StudyDay, version: Int) {
        self.profile = profile
        self.evidence = evidence
        self.week = week.monday
        self.version = version
        maker = PlanMaker(profile, evidence, week: week, version: version)
    }

    private mutating func mend(_ place: String, _ what: PlanDraft.Repair.Kind, _ sentence: String) {
        repairs.append(.init(place: place, what: what, sentence: sentence))
    }

    mutating func outcome(_ text: String) -> PlanDraft.Outcome {
        guard let json = unwrapped(text) else { return .refused("there is no JSON object in the answer") }
        let bytes = Array(json.utf8)
        if let place = JSONSyntax.mistake(in: bytes) { return .refused("the answer is not JSON at \(place)") }
        guard let loose = try? JSONFile.decodeLine(LoosePlan.self, from: bytes), let given = loose.dailyTasks else {
            return .refused("dailyTasks: should be an object of days, each with a list of tasks")
        }
        let count = given.values.reduce(0) { $0 + $1.count }
        guard count > 0 else { return .refused("dailyTasks: has no task") }
        if count > Self.mostTasks {
            return .refused("dailyTasks: has \(count) tasks, too many for a week")
        }
        if loose.weekOf != week.text { mend("weekOf", .changed, "is \(week.text)") }
        if loose.version != version { mend("version", .changed, "is \(version)") }

        var ids: [String: String] = [:]
        let kept = place(given, &ids)
        guard kept * 2 >= count else {
            return .refused("dailyTasks: \(kept) of \(count) tasks could be kept, less than half")
        }
        var plan = StudyPlan(weekOf: week, version: version)
        lay(out: loose.timeBlocks, ids, into: &plan)
        plan.milestones = milestones(loose.milestones)
        plan.resources = resources(loose.resources)
        plan.notes = maker.frame.notes
        for day in maker.frame.days where plan.dailyTasks[day.weekday]?.isEmpty ?? true {
            let reason = day.isUsable ? "Nothing was planned for this day." : maker.frame.reason(forEmpty: day)
            plan.notes.append(PlanNote(.empty, day: day.weekday, reason))
        }
        if !repairs.isEmpty {
            let all = repairs.count == 1 ? "One thing" : "\(repairs.count) things"
            plan.notes.append(PlanNote(.mended, "\(all) in this plan had to be corrected."))
        }
        if let finding = plan.findings(for: profile, evidence).first { return .refused(finding.text) }
        return .plan(plan)
    }

    /// The most tasks in a week: seven days with twenty tasks each.
    private static let mostTasks = 140

    /// Returns the text from the first brace to the last.
    private mutating func unwrapped(_ text: String) -> String? {
        guard let first = text.firstIndex(of: "{"), let last = text.lastIndex(of: "}"), first < last else { return nil }
        let around = [text[..<first], text[text.index(after: last)...]]
        if around.contains(where: { $0.contains { !$0.isWhitespace } }) {
            mend("", .unwrapped, "words around the plan were left out")
        }
        return String(text[first...last])
    }

    // MARK: - Tasks

    private struct Wanted {
        var place: String
        var id: String?
        /// The place of the day in the frame. Nil if the name is not a day, or the day is not available.
        var day: Int?
        var number: Int
        var task: PlanTask
    }

    /// Places the tasks on the days.
    ///
    /// - Returns: the number of tasks that were placed.
    private mutating func place(_ given: [String: [LoosePlan.Entry]], _ ids: inout [String: String]) -> Int {
        var wanted: [Wanted] = []
        let sorted = given.sorted { a, b in
            let (left, right) = (Weekday(written: a.key)?.number ?? 8, Weekday(written: b.key)?.number ?? 8)
            return (left, a.key) < (right, b.key)
        }
        for (name, tasks) in sorted {
            let weekday = Weekday(written: name)
            let day = weekday.flatMap { weekday in maker.frame.days.firstIndex { $0.weekday == weekday } }
            if let weekday, weekday.rawValue != name { mend("dailyTasks.\(name)", .changed, "is \(weekday.rawValue)") }
            for (number, task) in tasks.enumerated() {
                let place = "dailyTasks.\(name)[\(number)]"
                if let task = self.task(task, at: place) {
                    wanted.append(
                        Wanted(place: place, id: tasks[number].id, day: day, number: weekday?.number ?? 8, task: task))
                }
            }
        }
        var days = maker.frame.days.map { _ in [PlanTask]() }
        var kept = 0
        // Tasks that fit on their own day stay there. The others are placed afterwards.
        var homeless: [Wanted] = []
        for one in wanted {
            maker.put(days)
            if let day = one.day, fits(one.task, on: day) {
                days[day].append(one.task)
                kept += 1
                remember(one, day, days, &ids)
            } else {
                homeless.append(one)
            }
        }
        for one in homeless {
            maker.put(days)
            let near = maker.frame.days.indices.sorted { a, b in
                let (left, right) = (
                    abs(maker.frame.days[a].weekday.number - one.number),
                    abs(maker.frame.days[b].weekday.number - one.number)
                )
                return (left, a) < (right, b)
            }
            guard let day = near.first(where: { fits(one.task, on: $0) }) else {
                mend(one.place, .dropped, "\(one.task.link.text) does not fit on any day, or breaks a rule there")
                continue
            }
            days[day].append(one.task)
            kept += 1
            mend(one.place, .moved, "\(one.task.link.text) is on \(maker.frame.days[day].weekday.rawValue)")
        }
        for (place, day) in maker.frame.days.enumerated() {
            for task in days[place].indices {
                days[place][task].id = "\(day.weekday.rawValue.lowercased())-\(task + 1)"
            }
        }
        maker.put(days)
        return kept
    }

    /// Remembers the id from the model, which its blocks use.
    private func remember(_ one: Wanted, _ day: Int, _ days: [[PlanTask]], _ ids: inout [String: String]) {
        let weekday = maker.frame.days[day].weekday
        if let id = one.id { ids["\(weekday.rawValue) \(id)"] = "\(weekday.rawValue.lowercased())-\(days[day].count)" }
    }

    private func fits(_ task: PlanTask, on day: Int) -> Bool {
        let tasks = (maker.days[day] + [task]).map { ($0.id, $0.minutes) }
        return maker.days[day].count < PlanPacing.tasksADay && maker.stands(task.link, on: day)
            && DayLayout.fits(tasks, on: maker.frame.days[day])
    }

    /// Returns the mended task. Nil if it cannot be mended.
    private mutating func task(_ loose: LoosePlan.Entry, at place: String) -> PlanTask? {
        guard let text = loose.link, let link = PlanLink(text) else {
            mend("\(place).link", .dropped, loose.link.map { "\"\($0.prefix(60))\" is not a link" } ?? "has no link")
            return nil
        }
        if let fault = PlanCheck.fault(of: link, evidence) {
            mend("\(place).link", .dropped, fault)
            return nil
        }
        if let command = loose.command, command != link.command {
            mend("\(place).command", .changed, "is \(link.command)")
        }
        let least = link.leastMinutes
        var minutes = link.usualMinutes
        if let wanted = loose.minutes, wanted.rounded() == wanted, (Double(least)...120).contains(wanted) {
            minutes = Int(wanted)
        } else {
            mend("\(place).minutes", .changed, "are \(minutes)")
        }
        let title = words(loose.title, evidence.title(of: link), "\(place).title")
        let reason = words(loose.reason, "No reason was given.", "\(place).reason")
        return PlanTask(id: "", title: title, link: link, minutes: minutes, reason: reason)
    }

    /// Returns the text on one line, without control characters that a terminal would obey.
    private mutating func words(_ text: String?, _ usual: String, _ place: String) -> String {
        let plain = (text ?? "").unicodeScalars.map { $0.properties.generalCategory == .control ? " " : String($0) }
            .joined()
        let short = String(plain.split { $0.isWhitespace }.joined(separator: " ").prefix(PlanCheck.longest))
        let found = short.isEmpty ? usual : short
        if found != text { mend(place, .changed, "is \"\(found.prefix(60))\"") }
        return found
    }

    // MARK: - Blocks and the rest

    private mutating func lay(
        out given: [String: [TimeBlock]]?, _ ids: [String: String], into plan: inout StudyPlan
    ) {
        for (place, day) in maker.frame.days.enumerated() {
            let tasks = maker.days[place]
            plan.dailyTasks[day.weekday] = tasks
            plan.timeBlocks[day.weekday] = []
            guard !tasks.isEmpty else { continue }
            // The model's own blocks are used if they keep the rules.
            var own = given?.first { Weekday(written: $0.key) == day.weekday }?.value ?? []
            for block in own.indices {
                own[block].tasks = own[block].tasks.compactMap { ids["\(day.weekday.rawValue) \($0)"] }
            }
            own.removeAll(where: \.tasks.isEmpty)
            plan.timeBlocks[day.weekday] = own
            // On the present day, only the remaining hours are free.
            let isFree = own.allSatisfy { block in day.free.contains { block.isWithin($0) } }
            if !own.isEmpty, isFree, isKept(plan, on: day.weekday) { continue }
            plan.timeBlocks[day.weekday] = DayLayout.best(tasks.map { ($0.id, $0.minutes) }, on: day) ?? []
            mend("timeBlocks.\(day.weekday.rawValue)", .laidOut, "are laid out anew")
        }
    }

    private func isKept(_ plan: StudyPlan, on weekday: Weekday) -> Bool {
        let check = PlanCheck(plan: plan, profile: profile, evidence: evidence)
        return ![PlanRule.overlap, .blocks, .constraints].flatMap(check.findings).contains {
            $0.place.contains(".\(weekday.rawValue)")
        }
    }

    private mutating func milestones(_ given: [LoosePlan.Milestone]) -> [PlanMilestone] {
        var found: [PlanMilestone] = []
        for (place, one) in given.prefix(Self.mostOthers).enumerated() {
            guard let date = one.date.flatMap({ StudyDay($0) }), one.title != nil else {
                mend("milestones[\(place)]", .dropped, "has no date like 2026-11-25, or no title")
                continue
            }
            if let today = evidence.asOf?.day, date < today {
                mend("milestones[\(place)]", .dropped, "\(date.text) is in the past")
                continue
            }
            found.append(
                PlanMilestone(date: date, title: words(one.title, "A milestone", "milestones[\(place)].title")))
        }
        return found
    }

    private mutating func resources(_ given: [LoosePlan.Entry]) -> [PlanResource] {
        var found: [PlanResource] = []
        for (place, one) in given.prefix(Self.mostOthers).enumerated() {
            let field = "resources[\(place)]"
            guard let link = one.link.flatMap({ PlanLink($0) }), PlanCheck.fault(of: link, evidence) == nil else {
                mend("\(field).link", .dropped, "does not link to anything that exists")
                continue
            }
            if let command = one.command, command != link.command {
                mend("\(field).command", .changed, "is \(link.command)")
            }
            found.append(
                PlanResource(
                    title: words(one.title, evidence.title(of: link), "\(field).title"), link: link,
                    reason: words(one.reason, "No reason was given.", "\(field).reason")))
        }
        return found
    }

    private static let mostOthers = 20
}

/// Milestones and resources.
extension PlanMaker {
    /// The milestones up to the test's date, or for four weeks without a test. None is before the day on which the plan
    /// is made.
    var milestones: [PlanMilestone] {
        let first = evidence.asOf?.day ?? week
        return allMilestones.filter { $0.date >= first }
    }

    private var allMilestones: [PlanMilestone] {
        let exam = profile.format == .interview ? "interview" : "exam"
        let goal = profile.goalBand.map { ", goal \($0.figure(1))" } ?? ""
        let sunday = week.advanced(by: 6)
        let hasExam = days.joined().contains { if case .sit(let sitting) = $0.link { sitting.isWhole } else { false } }
        let end = hasExam ? "You have sat and reviewed a full \(exam)" : "The week's tasks are done"
        guard let test = profile.testDate, test >= week else {
            return [
                PlanMilestone(date: sunday, title: "\(end)."),
                PlanMilestone(
                    date: sunday.advanced(by: 21),
                    title: "Four weeks: compare their exams with oracy progress."),
            ]
        }
        var found: [PlanMilestone] = []
        let weeks = week.distance(to: test) / 7
        if sunday < test.advanced(by: -PlanPacing.taperDays) {
            found.append(PlanMilestone(date: sunday, title: "\(end)."))
        }
        if weeks >= 4 {
            let half = week.advanced(by: weeks / 2 * 7 + 6)
            found.append(
                PlanMilestone(
                    date: half,
                    title:
                        "Half of the \(weeks) weeks are over: compare the \(exam)s so far with oracy progress."
                ))
        }
        let taper = test.advanced(by: -PlanPacing.taperDays)
        if taper >= week {
            found.append(PlanMilestone(date: taper, title: "From now on nothing new, and shorter days."))
        }
        let last = test.advanced(by: -PlanPacing.restBeforeTest - 1)
        if last >= week { found.append(PlanMilestone(date: last, title: "The last day for a full \(exam).")) }
        found.append(
            PlanMilestone(date: test, title: "The \(profile.format == .interview ? "interview" : "test")\(goal)."))
        return found.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }.map(\.element)
    }

    /// At most six resources besides the tasks, because few learners look through a longer list. Another version has
    /// the next six.
    var resources: [PlanResource] {
        let needs = PlanNeeds(profile, evidence, version: 1)
        let planned = Set(days.joined().map(\.link))
        var all: [PlanNeed.Choice] = []
        // Begins with the choices for weaknesses that found no place in the week.
        for need in needs.all where [.measure, .criterion, .mistakes].contains(need.rule) {
            all += need.choices.prefix(3)
        }
        let exams = evidence.exams.sorted { ($1.day, $1.session) < ($0.day, $0.session) }
        for exam in exams.prefix(4) where exam.session.isPlanID {
            all.append(evidence.choice(.review(session: exam.session), "You sat it on \(exam.day.text)."))
        }
        for pack in evidence.practice.packs where pack.isLesson && pack.isOpen {
            let reason = pack.isRead ? "For looking things up again." : "It is open, and you have not read it yet."
            all.append(evidence.choice(.lesson(pack.id), reason))
        }
        for kind in PlanLink.Spoken.allCases where evidence.hasSpokenDrills {
            all.append(evidence.choice(.speak(kind), "For a spare ten minutes: it needs no preparation."))
        }
        let isTaper = frame.days.contains { $0.isTaper && $0.closed == nil }
        all = all.filter { !planned.contains($0.link) && !(isTaper && evidence.isNew($0.link)) }.unique
        guard !all.isEmpty else { return [] }
        let step = all.count > Self.mostResources ? Self.mostResources : 1
        let first = max(0, version - 1) % 10_000 * step % all.count
        return (all[first...] + all[..<first]).prefix(Self.mostResources).map {
            PlanResource(title: $0.title, link: $0.link, reason: $0.reason)
        }
    }

    private static let mostResources = 6
}

import ArgumentParser
import Assessment
import Learning
import SessionFolders
import Study
import StudyFolders
import SystemSupport

struct HomeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "home",
        abstract: "Show on one screen what to do now: an unfinished exam, today's task, your last result.",
        discussion: "`oracy` without a command shows the same.")

    func run() async throws {
        try await failing {
            let own = try OwnPlan()
            let book = try await own.planning.book()
            let facts = try await own.facts()
            let knowledge = facts.knowledge
            let unfinished = SessionShelf().list().first { if case .resumable = $0.state { true } else { false } }
            let home = HomeText(
                unfinished: unfinished, day: book.map { PlanDay($0, knowledge) }, profile: book?.profile,
                streak: Streak(facts.historyWithExams, today: knowledge.today), last: own.newest(facts),
                estimate: facts.exams.last?.figures.estimates.first, next: await own.points(facts).first,
                goal: facts.goal(of: book?.profile), today: knowledge.today)
            for line in home.lines { print(line.cleaned) }
        }
    }
}

/// The home screen as text: at most twenty lines. Pure.
struct HomeText {
    /// The newest exam or spoken drill that can be resumed.
    var unfinished: SessionSummary?
    /// Nil without a profile.
    var day: PlanDay?
    var profile: LearnerProfile?
    var streak: Streak
    /// The newest exam that was measured.
    var last: SessionSummary?
    /// The first estimate of that exam, overall if there is one.
    var estimate: AspectEstimate?
    /// The first step that the last exam suggests.
    var next: StepReport?
    /// The wanted band beside the estimates. Nil if the learner named none.
    var goal: GoalProgress?
    var today: StudyDay

    var lines: [String] {
        var lines = ["\(Weekday(of: today).rawValue), \(today.text)\(test)", ""]
        if let unfinished {
            lines += ["Go on     \(unfinished.state.words)", below + "oracy resume \(unfinished.id)", ""]
        }
        lines += task + [""]
        if let last {
            lines += ["Last exam \(last.began)", below + "oracy results \(last.id)"]
            if let estimate { lines.append("Estimate  \(estimate.title): \(estimate.words)") }
            if let next {
                lines += Self.hanging("Next      ", next.step.advice, most: 2) + (next.link.map { [below + $0] } ?? [])
            }
            lines.append("")
        }
        let aim = profile.map { "\($0.targetRole)\($0.goalBand.map { ", band \($0.oneDecimal)" } ?? "")" }
        if let aim { lines += Self.hanging("Goal      ", aim, most: 1) }
        if let goal { lines += Self.hanging("          ", goal.sentence, most: 3) }
        lines.append("Streak    \(streak.days.of("day"))\(risk)")
        lines.append("Commands  oracy --help")
        return lines
    }

    private let below = String(repeating: " ", count: 10)

    private var test: String {
        switch day?.daysToTest {
        case nil: ""
        case 0: " · your test is today"
        case 1: " · your test is tomorrow"
        case let days?: " · \(days) days to your test"
        }
    }

    private var risk: String {
        streak.isAtRisk && !streak.hasToday ? " (you missed yesterday; practise today to keep it)" : ""
    }

    /// The first open task of today's plan, or what to do without one.
    private var task: [String] {
        guard let day else {
            let start = last == nil ? [("Begin", "oracy run --part 1")] : [("Practise", "oracy practice")]
            return (start + [("Plan", "oracy plan setup")]).map { $0.padded(to: 10) + $1 }
        }
        let open = day.tasks.filter { if case .done = $0.state { false } else { true } }
        if let first = open.first {
            let more = open.count > 1 ? "; \(open.count - 1) more: oracy today" : ""
            return Self.hanging("Today     ", "\(first.task.title), \(first.task.minutes) min\(more)", most: 2)
                + [below + first.task.command]
        }
        if let begins = day.begins { return ["Today     Your plan begins on \(PlanText.named(begins)): oracy plan"] }
        if day.plan == nil { return ["Plan      This week has no plan yet: oracy plan make"] }
        return ["Today     \(day.tasks.isEmpty ? "Nothing is planned" : "All done"). For more: oracy practice"]
    }

    private static func hanging(_ label: String, _ text: String, most: Int) -> [String] {
        Array(DrillText.hanging(label, text).prefix(most))
    }
}

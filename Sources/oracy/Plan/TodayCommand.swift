import ArgumentParser
import Assessment
import Learning
import Study
import StudyFolders
import Subprocess
import SystemSupport

struct TodayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "today",
        abstract: "Show today's tasks with their commands, your streak, and the days to your test.")

    @Flag(help: "Print the day as JSON.")
    var json = false

    @Flag(help: "Show a desktop notification if tasks are open; for a timer (docs/plan.md).")
    var notify = false

    func run() async throws {
        try await failing {
            let own = try OwnPlan()
            let book = try await own.planning.neededBook()
            let facts = try await own.facts()
            let day = PlanDay(book, facts.knowledge)
            if notify { return try await Reminder.show(day) }
            let points = await own.points(facts)
            let practice = try await own.practising.day(at: .now)
            if json { return print(JSONText.of(TodayReport(day, practice, points)), whole: true) }
            for line in TodayText.lines(book, day, practice, points, facts.knowledge) {
                print(line.cleaned)
            }
        }
    }
}

/// A day of a plan as text for people. Pure.
enum TodayText {
    static func lines(
        _ book: PlanBook, _ day: PlanDay, _ practice: PracticeDay, _ points: [StepReport], _ knowledge: PlanKnowledge
    ) -> [String] {
        var lines = [heading(book, day), ""]
        if day.plan == nil {
            lines += ["This week has no plan yet. Make one: oracy plan make", ""]
        } else if let begins = day.begins {
            lines += ["Your plan begins on \(PlanText.named(begins)). To see it: oracy plan", ""]
        } else if day.tasks.isEmpty {
            let note = day.plan?.notes.first { $0.day == Weekday(of: day.today) }
            lines += [note.map(\.text) ?? "Nothing is planned for today.", ""]
        } else {
            for (task, state) in day.tasks { lines += PlanText.lines(task, state) }
            lines.append("")
        }
        if day.plan != nil, let proposal = book.proposal(knowledge), !proposal.preview.isEmpty {
            lines += ["You missed a task. To move it to another day: oracy plan make", ""]
        }
        lines.append(
            "Streak: \(practice.streak.days.of("day"))"
                + (day.score.map { ", habit \(Int(($0 * 100).rounded())) of 100" } ?? ""))
        if !practice.again.isEmpty { lines += [""] + DrillText.again(practice.again) }
        if !points.isEmpty {
            lines += ["", "From your last exam:"]
            for step in points.prefix(3) {
                lines += step.step.advice.wrapped(to: terminalColumns - 6).enumerated().map {
                    ($0 == 0 ? "- " : "  ") + $1
                }
                if let link = step.link { lines.append("  \(link)") }
            }
        }
        return lines
    }

    private static func heading(_ book: PlanBook, _ day: PlanDay) -> String {
        let test = day.daysToTest.map { days in
            switch days {
            case 0: " · your test is today"
            case 1: " · your test is tomorrow"
            default: " · \(days) days to your test"
            }
        }
        return "\(Weekday(of: day.today).rawValue), \(day.today.text)\(test ?? "")"
    }
}

private struct TodayReport: Encodable {
    struct Task: Encodable {
        var id, title, link, command, reason, state: String
        var minutes: Int
    }

    var day: String
    var tasks: [Task]
    var streak: Int
    var score: Double?
    var daysToTest: Int?
    var begins: String?
    var points: [StepReport]
    /// The answers of exams to give again today.
    var again: [DueAgain]

    init(_ day: PlanDay, _ practice: PracticeDay, _ points: [StepReport]) {
        self.day = day.today.text
        begins = day.begins?.text
        tasks = day.tasks.map { task, state in
            Task(
                id: task.id, title: task.title, link: task.link.text, command: task.command, reason: task.reason,
                state: state.word, minutes: task.minutes)
        }
        (streak, score, daysToTest, self.points) = (practice.streak.days, day.score, day.daysToTest, points)
        again = practice.again
    }
}

/// A notification for a learner whose day is not done.
enum Reminder {
    /// - Throws: `Problem.unavailable` if the desktop has no notifications.
    static func show(_ day: PlanDay) async throws {
        let open = day.tasks.filter { if case .done = $0.state { false } else { true } }
        guard let first = open.first else { return }
        let more = open.count > 1 ? ", and \(open.count - 1) more" : ""
        let text = "\(first.task.title): \(first.task.minutes) minutes\(more)"
        let result = try? await Subprocess.run(
            .name("notify-send"), arguments: ["--app-name=Oracy", "Oracy: today's plan", text],
            output: .discarded, error: .discarded)
        guard result?.terminationStatus.isSuccess == true else {
            throw Problem(.unavailable, "cannot show notifications; install notify-send (package libnotify-bin)")
        }
    }
}

import Foundation
import TestSupport
import Testing

@testable import Learning

@Suite struct PlanCalendarTests {
    private static let profile = SamplePlans.profile()
    private static let plan = StudyPlan(for: profile, SamplePlans.known, week: SamplePlans.week)

    private static func history(_ plans: StudyPlan...) throws -> PlanHistory {
        var history = PlanHistory()
        for plan in plans { try history.add(plan, as: .made) }
        return history
    }

    private static func sequences(_ text: String) -> [String: String] {
        var (sequences, uid) = ([String: String](), "")
        for line in text.components(separatedBy: "\r\n") {
            if line.hasPrefix("UID:") { uid = String(line.dropFirst(4)) }
            if line.hasPrefix("SEQUENCE:") { sequences[uid] = String(line.dropFirst(9)) }
        }
        return sequences
    }

    @Test func anUnchangedPlanIsTheSameBytes() throws {
        let again = StudyPlan(for: Self.profile, SamplePlans.known, week: SamplePlans.week)
        #expect(PlanCalendar.text(of: Self.plan) == PlanCalendar.text(of: again))
        #expect(try PlanCalendar.text(of: Self.history(Self.plan)) == PlanCalendar.text(of: Self.plan))
        #expect(PlanCalendar.text(of: PlanHistory()) == nil)
    }

    @Test func sequenceRisesOnlyIfAnEventChanges() throws {
        let first = try #require(PlanCalendar.text(of: Self.history(Self.plan)))
        // A calendar does not contain resources.
        let second = Self.plan.rerolled(.resources, for: Self.profile, SamplePlans.known)
        #expect(second.resources != Self.plan.resources)
        #expect(try PlanCalendar.text(of: Self.history(Self.plan, second)) == first)
        // Another title of one task changes one event.
        var third = second
        third.version = 3
        third.dailyTasks[.monday]?[0].title = "Something else"
        let changed = try #require(PlanCalendar.text(of: Self.history(Self.plan, second, third)))
        let rose = Self.sequences(changed).filter { Self.sequences(first)[$0.key] != $0.value }
        #expect(rose == ["2026-11-23-monday-1@oracy": "3"])
        // Changing it back is another change.
        var fourth = second
        fourth.version = 4
        let back = try #require(PlanCalendar.text(of: Self.history(Self.plan, second, third, fourth)))
        #expect(Self.sequences(back)["2026-11-23-monday-1@oracy"] == "4")
    }

    @Test func removedTasksAreCancelled() throws {
        var second = Self.plan
        second.version = 2
        second.dailyTasks[.monday]?.removeLast()
        let gone = try #require(Self.plan.dailyTasks[.monday]?.last?.id)
        let text = try #require(PlanCalendar.text(of: Self.history(Self.plan, second)))
        #expect(text.components(separatedBy: "STATUS:CANCELLED").count == 2)
        #expect(Self.sequences(text)["2026-11-23-\(gone)@oracy"] == "2")
    }

    @Test func linesAreFoldedAndTextsEscaped() {
        #expect(PlanCalendar.escaped("a,b;c\\d\ne\u{7}") == "a\\,b\\;c\\\\d\\ne")
        let long = "DESCRIPTION:" + String(repeating: "é", count: 100)
        let lines = PlanCalendar.folded(long).components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 75 } && lines.dropFirst().allSatisfy { $0.hasPrefix(" ") })
        #expect(lines[0] + lines.dropFirst().map { $0.dropFirst() }.joined() == long)
        let text = PlanCalendar.text(of: Self.plan)
        #expect(text.hasSuffix("END:VCALENDAR\r\n") && !text.replacing("\r\n", with: "").contains { $0.isNewline })
        #expect(text.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 75 })
    }

    private struct Seen: Decodable {
        var uid, begin, end, title, description, status: String
        var sequence: Int
        var isFloating: Bool
    }

    @Test(.needs(Trials.obstacle(to: "icalendar"))) func anotherProgramReadsIt() async throws {
        let folder = try TemporaryFolder()
        var plan = Self.plan
        plan.dailyTasks[.monday]?[0].title = "Käse; \"brie\", a\\b — " + String(repeating: "読む ", count: 40)
        plan.dailyTasks[.tuesday] = [plan.dailyTasks[.tuesday]?[0]].compactMap(\.self)
        plan.timeBlocks[.tuesday] = [
            TimeBlock(begin: ClockTime(minutes: 1430), end: ClockTime(minutes: 1440), tasks: ["tuesday-1"])
        ]
        let files = try [plan, Self.plan].map { try folder.file(Array(PlanCalendar.text(of: $0).utf8)) }
        let (status, said) = await Trials.python("read_plan.py", files)
        try #require(status == 0, "\(said.suffix(1000))")
        let seen = try JSONDecoder().decode([[Seen]].self, from: Data((said.split(separator: "\n").last ?? "").utf8))
        for (events, plan) in zip(seen, [plan, Self.plan]) {
            let tasks = plan.tasks.filter { plan.time(of: $0.task, on: $0.day) != nil }
            #expect(events.count == tasks.count && Set(events.map(\.uid)).count == events.count)
            for (day, task) in tasks {
                let event = try #require(events.first { $0.uid == "2026-11-23-\(task.id)@oracy" })
                let (begin, end) = try #require(plan.time(of: task, on: day))
                let date = plan.day(day).text
                #expect(event.begin == "\(date)T\(begin.text):00" && event.isFloating && event.sequence == 1)
                #expect(event.end == (end.minutes == 1440 ? "2026-11-25T00:00:00" : "\(date)T\(end.text):00"))
                #expect(event.title == task.title && event.description == "\(task.reason)\n\(task.command)")
                #expect(event.status == "CONFIRMED")
            }
        }
    }
}

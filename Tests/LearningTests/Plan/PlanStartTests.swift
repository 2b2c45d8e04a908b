import Papers
import Testing

@testable import Learning

/// Tests that a plan begins with the next time at which something can be done, whenever it is made.
@Suite struct PlanStartTests {
    private static let monday = StudyDay(year: 2026, month: 11, day: 23)
    private static let clocks = [
        "00:00", "00:30", "03:59", "04:00", "04:01", "09:07", "17:58", "22:30", "22:45", "23:30", "23:52", "23:58",
    ]

    private func knowledge(_ now: StudyMoment, _ deeds: [Deed] = []) -> PlanKnowledge {
        PlanKnowledge(evidence: SamplePlans.fresh, deeds: deeds, rest: RestDays(), now: now)
    }

    private func knowledge(_ day: Int, _ clock: String, _ deeds: [Deed] = []) -> PlanKnowledge {
        knowledge(StudyMoment(Self.monday.advanced(by: day), clock), deeds)
    }

    private func made(_ profile: LearnerProfile, _ knowledge: PlanKnowledge) throws -> PlanBook {
        var book = PlanBook(profile)
        try book.accept(#require(book.proposal(knowledge)))
        return book
    }

    @Test func aPlanForWorkdaysMadeOnASaturdayIsForNextWeek() throws {
        let saturday = knowledge(5, "11:00")
        var book = try made(SamplePlans.profile(), saturday)
        let plan = try #require(book.plan(saturday))
        #expect(plan.weekOf == Self.monday.advanced(by: 7) && plan.version == 1)
        #expect(SamplePlans.workdays.allSatisfy { plan.dailyTasks[$0]?.isEmpty == false })
        let shown = PlanDay(book, saturday)
        #expect(shown.begins == Self.monday.advanced(by: 7) && shown.tasks.isEmpty && shown.score == 0)
        #expect(book.proposal(saturday) == nil && book.proposal(knowledge(6, "22:45")) == nil)
        let begun = PlanDay(book, knowledge(7, "09:00"))
        #expect(begun.begins == nil && begun.tasks.count == plan.dailyTasks[.monday]?.count)
        // The plan can be changed before it begins.
        let rerolled = try book.reroll(.dailyTasks, saturday)
        let (undone, nothing) = (book.undo(saturday), book.undo(saturday))
        #expect(rerolled?.version == 2 && undone?.to == 1 && nothing == nil)
        #expect(book.anew(saturday).plan.version == 4 && book.anew(saturday).plan.weekOf == plan.weekOf)
    }

    /// The night of Sunday belongs to the study day of Sunday. Its hours are over, and Monday is in the next week.
    @Test func theNightBelongsToTheDayBefore() throws {
        for clock in ["00:30", "03:59"] {
            let friday = knowledge(5, clock)
            #expect(friday.today == Self.monday.advanced(by: 4))
            #expect(friday.week(for: SamplePlans.profile()) == Self.monday.advanced(by: 7), "\(clock)")
        }
        let sunday = knowledge(7, "03:59")
        #expect(sunday.week(for: SamplePlans.profile(hours: 1, Weekday.allCases)) == Self.monday.advanced(by: 7))
        #expect(knowledge(6, "23:50").week(for: SamplePlans.profile(hours: 1, Weekday.allCases)) == Self.monday)
        #expect(
            knowledge(6, "23:56").week(for: SamplePlans.profile(hours: 1, Weekday.allCases))
                == Self.monday.advanced(by: 7))
    }

    @Test(arguments: [
        ("09:00", "18:00"), ("18:07", "18:10"), ("22:30", "22:30"), ("23:30", "23:30"), ("23:52", nil), ("23:53", nil),
    ])
    func aPlanBeginsNoEarlierThanItIsMade(_ clock: String, _ first: String?) throws {
        let now = knowledge(1, clock)
        let plan = try #require(try made(SamplePlans.profile(hours: 1, Weekday.allCases), now).plan(now))
        #expect(plan.timeBlocks[.monday] == [] && plan.timeBlocks[.wednesday]?.first?.begin.text == "18:00")
        #expect(plan.weekOf == Self.monday)
        if let first {
            #expect(plan.timeBlocks[.tuesday]?.first?.begin.text == first)
        } else if let begin = plan.timeBlocks[.tuesday]?.first?.begin.text {
            #expect(begin == "23:55")
        } else {
            #expect(plan.notes.contains { $0.day == .tuesday && $0.about == .empty })
        }
    }

    /// For any weekday, hour and time zone, and for three kinds of learners, the plan has tasks and all of them are to
    /// come.
    @Test func aPlanMadeAtAnyMomentHasTasksAhead() throws {
        let profiles = [
            SamplePlans.profile(), SamplePlans.profile(hours: 0.5, Weekday.allCases),
            SamplePlans.profile(hours: 2, [.saturday]),
        ]
        for (day, offset) in (0..<7).flatMap({ day in [0, 32_400, -18_000].map { (day, $0) } }) {
            for clock in Self.clocks {
                let now = StudyMoment(Self.monday.advanced(by: day), clock, offset: offset)
                for profile in profiles {
                    let knowledge = knowledge(now)
                    let plan = try #require(try made(profile, knowledge).plan(knowledge))
                    try #require(plan.findings(for: profile, knowledge.evidence).isEmpty, "\(now.text)")
                    try #require(!plan.tasks.isEmpty, "\(now.text)")
                    for (weekday, blocks) in plan.timeBlocks {
                        try #require(blocks.allSatisfy { now.isBefore($0, on: plan.day(weekday)) }, "\(now.text)")
                    }
                    try #require(plan.milestones.allSatisfy { $0.date >= now.day }, "\(now.text)")
                }
            }
        }
    }

    /// The same holds on a leap day, and at the end of a year or month.
    @Test(arguments: ["2028-02-28", "2028-02-29", "2026-12-31", "2026-11-30", "2027-02-28"])
    func aTestOfAnyDayHasItsMilestonesAhead(_ text: String) throws {
        let today = try #require(StudyDay(text))
        for left in 0...40 {
            let profile = SamplePlans.profile(hours: 1, Weekday.allCases, test: today.advanced(by: left))
            let now = knowledge(StudyMoment(today, "22:30"))
            let plan = try #require(try made(profile, now).plan(now))
            try #require(plan.milestones.allSatisfy { $0.date >= today }, "\(left): \(plan.milestones)")
            try #require(plan.milestones.last == PlanMilestone(date: today.advanced(by: left), title: "The test."))
            try #require(plan.findings(for: profile, now.evidence).isEmpty)
        }
    }

    /// Five days before a test, the first day without new material has passed, so it is not a milestone any more.
    @Test func aTestInFiveDaysHasNoMilestoneThatIsPast() throws {
        let now = knowledge(2, "10:00")
        let profile = SamplePlans.profile(hours: 1, Weekday.allCases, test: now.today.advanced(by: 5))
        let plan = try #require(try made(profile, now).plan(now))
        #expect(plan.milestones.map(\.date) == [2, 5].map { now.today.advanced(by: $0) })
    }

    /// After the last day before a test there is nothing to prepare for, so its week is not skipped.
    @Test func theWeekBeforeATestIsNotSkipped() throws {
        let now = knowledge(4, "23:58")
        let before = try made(SamplePlans.profile(test: Self.monday.advanced(by: 5)), now)
        let plan = try #require(before.plan(now))
        #expect(plan.weekOf == Self.monday && plan.tasks.isEmpty)
        #expect(plan.notes.contains { $0.day == .friday && $0.text.hasPrefix("Too little of this day was left") })
        // A test that is over does not end a week.
        let over = knowledge(3, "12:00")
        #expect(over.week(for: SamplePlans.profile(test: Self.monday)) == Self.monday.advanced(by: 7))
        // The week is not skipped either if the next one has no time.
        #expect(now.week(for: SamplePlans.profile(hours: 0.05)) == Self.monday)
    }

    @Test func anotherPlanOnASaturdayTakesWhatWasMissedIntoTheNextWeek() throws {
        var book = try made(SamplePlans.profile(), knowledge(3, "09:00"))
        let saturday = knowledge(5, "09:00")
        let next = try #require(book.proposal(saturday))
        #expect(next.change == .made && next.plan.weekOf == Self.monday.advanced(by: 7))
        #expect(next.plan.tasks.contains { $0.task.carriedFrom == Self.monday.advanced(by: 4) })
        #expect(book.anew(saturday) == next && book.next(saturday).week == next.plan.weekOf)
        #expect(book.next(saturday).version == 1)
        try book.accept(next)
        #expect(book.plan(saturday)?.weekOf == next.plan.weekOf && book.next(saturday).version == 2)
        // If everything is done, the plan stays in effect until Monday.
        book = try made(SamplePlans.profile(), knowledge(4, "09:00"))
        let done = try #require(book.plan(saturday)).tasks.map {
            Deed($0.task.link, at: knowledge(4, "18:00").now, minutes: Double($0.task.minutes), isWhole: true)
        }
        #expect(book.proposal(knowledge(5, "09:00", done)) == nil)
    }

    @Test func missedTasksMoveToLaterHours() throws {
        let book = try made(SamplePlans.profile(hours: 1, Weekday.allCases), knowledge(0, "09:00"))
        for clock in ["09:00", "18:20", "22:45", "23:40"] {
            let now = knowledge(1, clock)
            let moved = try #require(book.proposal(now))
            for (day, task) in moved.plan.tasks where task.carriedFrom != nil {
                let block = try #require(moved.plan.timeBlocks[day]?.first { $0.tasks.contains(task.id) })
                #expect(now.now.isBefore(block, on: moved.plan.day(day)), "\(clock): \(task.title)")
            }
        }
    }

    @Test func rerolledTimesOfTodayAreInTheFuture() throws {
        var book = try made(SamplePlans.profile(hours: 0.5, Weekday.allCases), knowledge(1, "09:00"))
        let now = knowledge(1, "22:00")
        let rerolled = try book.reroll(.timeBlocks, now)
        let plan = try #require(rerolled)
        #expect(plan.timeBlocks[.tuesday]?.allSatisfy { now.now.isBefore($0, on: now.today) } == true)
    }

    /// A model is asked to plan the remaining days. Tasks that it plans for the past are mended.
    @Test func aModelPlansOnlyTheRemainingDays() throws {
        let now = knowledge(3, "22:00")
        let profile = SamplePlans.profile()
        let prompt = PlanPrompt.of(profile, now.evidence, week: now.today).user
        #expect(prompt.contains("Thursday") && prompt.contains("Friday") && !prompt.contains("Wednesday"))
        let text = """
            {"weekOf":"2026-11-23","version":1,"dailyTasks":{"Thursday":[{"id":"a","title":"T","link":"speak:shadowing",\
            "command":"oracy practice speak shadowing","minutes":10,"reason":"R"}],"Friday":[]},\
            "timeBlocks":{"Thursday":[{"begin":"18:00","end":"18:30","tasks":["a"]}]},\
            "milestones":[{"date":"2026-11-24","title":"Past"},{"date":"2026-11-27","title":"To come"}],"resources":[]}
            """
        let draft = PlanDraft(text, for: profile, now.evidence, week: now.today)
        let plan = try #require(draft.plan, "\(draft.outcome)")
        #expect(plan.timeBlocks[.thursday]?.map(\.begin.text) == ["22:00"])
        #expect(plan.milestones.map(\.title) == ["To come"])
        #expect(draft.repairs.map(\.place) == ["timeBlocks.Thursday", "milestones[0]"])
    }

    @Test func secondsOfADayContinuePastMidnight() {
        #expect(StudyMoment(Self.monday, "04:00").secondsOfDay == 4 * 3600)
        #expect(StudyMoment(Self.monday, "03:59", offset: 32_400).secondsOfDay == 27 * 3600 + 59 * 60)
        #expect(StudyMoment(Self.monday, "00:00", offset: -18_000).secondsOfDay == 24 * 3600)
    }
}

import SystemSupport
import Testing

@testable import Learning

/// Tests of a learner's plans over several weeks: proposed, accepted, made again and undone, and the view of a day.
@Suite struct PlanBookTests {
    private static let monday = StudyDay(year: 2026, month: 11, day: 23)
    private let profile = LearnerProfile(
        name: "Ana", stage: "second year", targetRole: "IELTS 7", timeBudgetHoursPerDay: 1,
        availableDays: [.monday, .tuesday, .wednesday, .thursday, .friday], testDate: monday.advanced(by: 40))

    private func moment(_ day: StudyDay) -> StudyMoment {
        StudyMoment(seconds: day.number * 86_400 + 43_200, offset: 0)
    }

    private func knowledge(_ day: Int, _ deeds: [Deed] = []) -> PlanKnowledge {
        PlanKnowledge(
            evidence: PlanEvidence(), deeds: deeds, rest: RestDays(), now: moment(Self.monday.advanced(by: day)))
    }

    /// Returns the deeds of a learner who does each task on its day.
    private func deeds(_ book: PlanBook, _ day: Int) throws -> [Deed] {
        let now = knowledge(day)
        let tasks = try #require(book.plan(now)).dailyTasks[Weekday(of: now.today)] ?? []
        return tasks.map { Deed($0.link, at: now.now, minutes: Double($0.minutes)) }
    }

    @Test func aWeekWithoutAPlanGetsOneThatHasToBeAccepted() throws {
        var book = PlanBook(profile)
        let first = try #require(book.proposal(knowledge(0)))
        #expect(first.change == .made && book.plan(knowledge(0)) == nil)
        #expect(first.preview.added.count == first.plan.tasks.count && first.preview.removed.isEmpty)
        try book.accept(first)
        #expect(book.plan(knowledge(3))?.version == 1 && book.proposal(knowledge(0)) == nil)
        #expect(throws: Problem.self, "accepted twice") { try book.accept(first) }
        #expect(try PlanBook.read(from: book.json, name: "plan.json") == book)
    }

    @Test func missedTasksMoveTwoADayAfterConsent() throws {
        var book = PlanBook(profile)
        try book.accept(#require(book.proposal(knowledge(0))))
        let done = try deeds(book, 0)
        #expect(book.proposal(knowledge(1, done)) == nil, "nothing was missed")
        let missed = try #require(book.proposal(knowledge(2, done)))
        #expect(missed.change == .carried && missed.preview.moved.allSatisfy { $0.from == .tuesday })
        for tasks in missed.plan.dailyTasks.values { #expect(tasks.count { $0.carriedFrom != nil } <= 2) }
        try book.accept(missed)
        #expect(book.plan(knowledge(2))?.version == 2)
    }

    @Test func aNewWeekBeginsWithTheTasksMissedOnTheLastDay() throws {
        var book = PlanBook(profile)
        try book.accept(#require(book.proposal(knowledge(0))))
        var done: [Deed] = []
        for day in 0..<4 { done += try deeds(book, day) }
        let next = try #require(book.proposal(knowledge(7, done)))
        #expect(next.plan.weekOf == Self.monday.advanced(by: 7) && next.plan.version == 1 && next.change == .made)
        let carried = next.plan.tasks.filter { $0.task.carriedFrom != nil }
        #expect(!carried.isEmpty && carried.allSatisfy { $0.task.carriedFrom == Self.monday.advanced(by: 4) })
        try book.accept(next)
        let undone = book.undo(knowledge(7))
        #expect(undone == nil, "a week's first plan is not undone into the week before")
    }

    @Test func aSectionIsRegeneratedAndUndone() throws {
        var book = PlanBook(profile)
        let none = try book.reroll(.dailyTasks, knowledge(0))
        #expect(none == nil)
        try book.accept(#require(book.proposal(knowledge(0))))
        let before = try #require(book.plan(knowledge(0)))
        let rerolled = try book.reroll(.dailyTasks, knowledge(0))
        let after = try #require(rerolled)
        #expect(after.timeBlocks == before.timeBlocks && after.dailyTasks != before.dailyTasks && after.version == 2)
        let taken = book.undo(knowledge(0))
        let undone = try #require(taken)
        #expect(undone.plan.dailyTasks == before.dailyTasks && undone.plan.version == 3)
        #expect(book.history.entries.map(\.change) == [.made, .rerolled, .undone])
    }

    @Test func aDayShowsWhatIsDoneAndHowFarTheTestIs() throws {
        var book = PlanBook(profile)
        #expect(PlanDay(book, knowledge(0)).score == nil && PlanDay(book, knowledge(0)).tasks.isEmpty)
        try book.accept(#require(book.proposal(knowledge(0))))
        let open = PlanDay(book, knowledge(0))
        #expect(!open.tasks.isEmpty && open.tasks.allSatisfy { $0.state == .open } && open.score == 0)
        #expect(open.daysToTest == 40)
        let day = PlanDay(book, knowledge(0, try deeds(book, 0)))
        #expect(day.tasks.allSatisfy { $0.state == .done(on: Self.monday) })
        // One day, with five days a week: 1 − 0.5^(√(5/7)/13).
        #expect(abs(try #require(day.score) - 0.0441) < 0.0005)
        #expect(PlanDay(book, knowledge(41)).daysToTest == nil)
    }

    /// A server's page cannot hear the learner in a drill, so the plan has no spoken drills.
    @Test func noSpokenDrillIsAskedWithoutAListener() {
        var evidence = PlanEvidence()
        let aloud = StudyPlan(for: profile, evidence, week: Self.monday)
        #expect(aloud.tasks.contains { $0.task.link.kind == .speaking })
        evidence.hasSpokenDrills = false
        let silent = StudyPlan(for: profile, evidence, week: Self.monday)
        #expect(!silent.tasks.contains { $0.task.link.kind == .speaking } && !silent.tasks.isEmpty)
        #expect(!silent.resources.contains { $0.link.kind == .speaking })
        #expect(silent.findings(for: profile, evidence).isEmpty)
    }

    /// A learner who begins on a Thursday did not miss Monday.
    @Test func theScoreBeginsWithTheFirstPlan() throws {
        var book = PlanBook(profile)
        try book.accept(#require(book.proposal(knowledge(3))))
        let done = try deeds(book, 3)
        #expect(abs(try #require(PlanDay(book, knowledge(3, done)).score) - 0.0441) < 0.0005)
    }
}

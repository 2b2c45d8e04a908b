import Testing

@testable import Learning

/// Tests that a plan leaves out the times at which a learner is busy, in their own words.
@Suite struct BusyTimeTests {
    @Test func anEveningAtTheGymIsFree() throws {
        let plan = StudyPlan(
            for: SamplePlans.profile(hours: 1, Weekday.allCases, ["gym on Tuesday evening"]), SamplePlans.known,
            week: SamplePlans.week)
        #expect(plan.timeBlocks[.tuesday]?.isEmpty == false)
        #expect(plan.timeBlocks[.tuesday]?.allSatisfy { $0.end.minutes <= 18 * 60 } == true)
        #expect(plan.timeBlocks[.monday]?.first?.begin.text == "18:00")
        #expect(!plan.notes.contains { $0.about == .notUnderstood })
    }
}

import ExamCore
import Testing

@testable import Learning

/// Tests of streaks: rest days neither count nor break, begin or end one, and one missed day is forgiven.
@Suite struct StreakTests {
    private static let monday = StudyDay(year: 2026, month: 11, day: 23)

    /// Returns a history.
    ///
    /// - Parameter days: the days from Monday on, with `x` for practised and `.` for not.
    private func history(_ days: String, rest: [Int] = [], pauses: [ClosedRange<Int>] = []) -> PracticeHistory {
        var history = PracticeHistory()
        func add(_ day: Int, _ event: PracticeEvent) {
            let noon = Self.monday.advanced(by: day).number * 86_400 + 12 * 3600
            history.add(PracticeLine(StudyMoment(seconds: noon, offset: 0), event))
        }
        if !rest.isEmpty { add(0, .restDays(rest)) }
        for pause in pauses {
            add(
                0,
                .rest(
                    from: Self.monday.advanced(by: pause.lowerBound), until: Self.monday.advanced(by: pause.upperBound))
            )
        }
        for (day, mark) in days.enumerated() where mark == "x" {
            add(
                day,
                .answered(
                    .init(
                        drill: 0, exercise: .init(memory: "a/b", question: "b", role: .due), verdict: .right, seconds: 5
                    )))
        }
        return history
    }

    private func streak(_ days: String, rest: [Int] = [], pauses: [ClosedRange<Int>] = []) -> Streak {
        Streak(history(days, rest: rest, pauses: pauses), today: Self.monday.advanced(by: days.count - 1))
    }

    @Test func daysInARowCount() {
        #expect(streak(".").days == 0 && streak("x").days == 1 && streak("xxx").days == 3)
        #expect(streak("xxx").hasToday && !streak("xx.").hasToday)
    }

    @Test func oneMissedDayIsForgivenAndTwoAreNot() {
        #expect(streak("xx.x").days == 3 && streak("x.x.x.x").days == 4)
        #expect(streak("xx..x").days == 1 && streak("xx..x").longest == 2)
        // Today is not over.
        #expect(streak("xx.").days == 2 && streak("xx..").days == 2 && streak("xx...").days == 0)
        #expect(streak("xx..").isAtRisk && !streak("xx.").isAtRisk)
    }

    @Test func restDaysArePassedOver() {
        // Saturday and Sunday.
        #expect(streak("xxxxx..x", rest: [6, 7]).days == 6)
        #expect(streak("xxxxx...x", rest: [6, 7]).days == 6, "Monday was missed")
        #expect(streak("xxxxx....x", rest: [6, 7]).days == 1, "Monday and Tuesday were")
        // Practice on rest days does not count.
        #expect(streak("xxxxxxxx", rest: [6, 7]).days == 6)
        // Rest days neither begin nor end a streak.
        #expect(streak(".....xx", rest: [6, 7]).days == 0 && streak("....xxx", rest: [6, 7]).days == 1)
    }

    @Test func daysOfAPauseDoNotBreakAStreak() {
        #expect(streak("xx.......x", pauses: [2...8]).days == 3)
        #expect(streak("xx..........x", pauses: [2...8]).days == 1)
    }

    @Test func restDaysCountFromTheDayOnWhichTheyWereSet() {
        var history = history("xxxxx..xx")
        let sunday = Self.monday.advanced(by: 13)
        history.add(
            PracticeLine(StudyMoment(seconds: sunday.number * 86_400 + 43_200, offset: 0), .restDays([6, 7])))
        // The weekend before was missed, even if it becomes a rest day later.
        #expect(Streak(history, today: Self.monday.advanced(by: 8)).days == 2)
    }

    @Test func anyHistoryHasAStreakThatIsPossible() {
        var chance = SplitMix64(seed: 4)
        for _ in 0..<300 {
            let days = String((0..<30).map { _ in Bool.random(using: &chance) ? "x" : "." })
            let rest = Bool.random(using: &chance) ? [3, 7] : []
            let found = streak(days, rest: rest)
            #expect(found.days <= found.longest && found.longest <= days.count { $0 == "x" })
            #expect(!found.hasToday || found.days > 0)
            #expect(streak(days + "x", rest: rest).days >= (days.hasSuffix("x") ? found.days : 0))
        }
    }
}

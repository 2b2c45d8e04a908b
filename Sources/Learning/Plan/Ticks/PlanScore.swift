import Glibc

/// How firmly a plan is a habit, 0 … 1, beside the streak: one day that was missed barely hurts, and one that was kept does not do it.
///
/// As Loop Habit Tracker has it (uhabits, `Score.kt`): s' = s · m + c · (1 − m), m = 0.5 ^ (√frequency / 13). With a task a day that is half of the way in
/// thirteen days.
public struct PlanScore: Equatable, Sendable {
    public let value: Double

    /// - Parameters:
    ///   - shares: how much was done of what was planned for each day, 0 … 1; what is missing is 0. See `PlanTicks.shares`.
    ///   - first: the first day that had a plan.
    ///   - today: counts once something was done on it: it is not over.
    ///   - weekdays: the available ones; others are rest, and freeze the score.
    ///   - rest: more days that do.
    public init(
        _ shares: [StudyDay: Double], from first: StudyDay, through today: StudyDay, on weekdays: Set<Weekday>,
        rest: RestDays? = nil
    ) {
        let multiplier = Self.multiplier(frequency: Double(weekdays.count) / 7)
        var score = 0.0
        if first <= today {
            for day in first...today where weekdays.contains(Weekday(of: day)) && !(rest?.contains(day) ?? false) {
                let share = min(max(shares[day] ?? 0, 0), 1)
                if day == today, share == 0 { continue }
                score = score * multiplier + share * (1 - multiplier)
            }
        }
        value = score
    }

    /// - Parameter frequency: days of a day: 5 of 7 are 0.71.
    static func multiplier(frequency: Double) -> Double { pow(0.5, sqrt(frequency) / 13) }
}

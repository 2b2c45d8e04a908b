import Glibc

/// The strength of the habit of keeping a plan, 0 to 1. Unlike a streak, one missed day barely lowers it, and one kept
/// day barely raises it.
///
/// The formula is that of Loop Habit Tracker (uhabits, `Score.kt`): s' = s · m + c · (1 − m), m = 0.5 ^ (√frequency /
/// 13). With a task every day it covers half of the way in thirteen days.
public struct PlanScore: Equatable, Sendable {
    public let value: Double

    /// Computes the score.
    ///
    /// - Parameters:
    ///   - shares: the share of each day's plan that was done, 0 to 1. A missing day is 0. See `PlanTicks.shares`.
    ///   - first: the first day that had a plan.
    ///   - today: counts only if something was done on it, because it is not over.
    ///   - weekdays: the available weekdays. The others are rest days, which do not change the score.
    ///   - rest: further rest days.
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

    /// Returns the factor m.
    ///
    /// - Parameter frequency: the share of days: 5 of 7 are 0.71.
    static func multiplier(frequency: Double) -> Double { pow(0.5, sqrt(frequency) / 13) }
}

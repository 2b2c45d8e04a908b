/// The number of practice days in a row. One missed day does not end a streak, but two in a row do. Rest days are
/// ignored, even if practised: they neither count nor end a streak.
public struct Streak: Equatable, Sendable {
    /// The number of practised days in the present streak.
    public let days: Int
    /// The length of the longest streak so far.
    public let longest: Int
    /// Whether the learner has practised today.
    public let hasToday: Bool
    /// Whether yesterday was missed, so that the streak ends unless the learner practises today.
    public let isAtRisk: Bool

    public init(_ history: PracticeHistory, today: StudyDay) {
        let practised = history.days.filter {
            $0.value.isPractised && $0.key <= today && !history.rest.contains($0.key)
        }
        .keys.sorted()
        var (run, longest) = (0, 0)
        var last: StudyDay?
        for day in practised {
            run = last.map { Self.missed(from: $0, to: day, history.rest) <= Self.forgiven } ?? false ? run + 1 : 1
            longest = max(longest, run)
            last = day
        }
        let missed = last.map { Self.missed(from: $0, to: today, history.rest) } ?? 0
        days = missed <= Self.forgiven ? run : 0
        self.longest = longest
        hasToday = last == today
        isAtRisk = days > 0 && missed == Self.forgiven
    }

    private static let forgiven = 1

    /// Returns the number of missed days between two days, without rest days. Stops counting after two, so that a long
    /// gap costs no time.
    private static func missed(from: StudyDay, to: StudyDay, _ rest: RestDays) -> Int {
        var missed = 0
        var day = from.advanced(by: 1)
        while day < to, missed <= forgiven {
            missed += rest.contains(day) ? 0 : 1
            day = day.advanced(by: 1)
        }
        return missed
    }
}

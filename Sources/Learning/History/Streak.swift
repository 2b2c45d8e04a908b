/// Days of practice in a row. One missed day does not end it, two in a row do; rest days are passed over: practised or not, they neither count, break,
/// begin nor end one.
public struct Streak: Equatable, Sendable {
    /// Days that were practised, of the one that is still going on.
    public let days: Int
    /// The most there ever were.
    public let longest: Int
    /// Today was practised.
    public let hasToday: Bool
    /// Yesterday was missed: today keeps it.
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

    /// Days between two, without rest days; more than two are two, so that a year is not counted.
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

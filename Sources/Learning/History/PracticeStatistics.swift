/// Statistics of a learner's practice, all derived from the log.
public struct PracticeStatistics: Equatable, Sendable {
    public let answers: Int
    public let right: Int
    /// The last fourteen study days, ending with today.
    public let recentDays: [(day: StudyDay, minutes: Double, answers: Int, right: Int)]
    /// The number of items at each mastery level, 0 to 5, among those that were ever asked.
    public let mastery: [Int]
    public let minutes: Double
    /// The first day of practice.
    public let since: StudyDay?
    /// The minutes of the last seven days, including today.
    public let minutesThisWeek: Double
    public let testCount: Int
    /// The average of the tests' latest scores, 0 to 1.
    public let averageTestScore: Double?
    public let drillCount: Int

    public init(_ history: PracticeHistory, today: StudyDay) {
        answers = history.days.values.reduce(0) { $0 + $1.answers }
        right = history.days.values.reduce(0) { $0 + $1.right }
        recentDays = (0..<14).map { back in
            let day = today.advanced(by: back - 13)
            let totals = history.days[day] ?? .init()
            return (day, totals.seconds / 60, totals.answers, totals.right)
        }
        var mastery = Array(repeating: 0, count: 6)
        for item in history.memories.values { mastery[item.mastery] += 1 }
        self.mastery = mastery
        minutes = history.days.values.reduce(0) { $0 + $1.seconds } / 60
        since = history.days.keys.min()
        minutesThisWeek = Self.minutes(of: history, to: today)
        testCount = history.tests.count
        let scores = history.tests.values.map { Double($0.right) / Double(max(1, $0.count)) }
        averageTestScore = scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
        drillCount = history.finishedDrills.count
    }

    /// The share of right answers, 0 to 1. Nil if nothing was answered.
    public var accuracy: Double? { answers == 0 ? nil : Double(right) / Double(answers) }

    /// Returns the minutes in the seven days that end with `day`. Boards compare them.
    public static func minutes(of history: PracticeHistory, to day: StudyDay) -> Double {
        (0..<7).reduce(0) { $0 + (history.days[day.advanced(by: -$1)]?.seconds ?? 0) } / 60
    }

    /// Returns the weeks with practice, from Monday to Sunday, those with the most minutes first. Among equal weeks,
    /// the newer comes first.
    public static func weeks(of history: PracticeHistory) -> [(monday: StudyDay, minutes: Double)] {
        let byWeek = history.days.reduce(into: [StudyDay: Double]()) { weeks, day in
            weeks[day.key.advanced(by: 1 - day.key.weekday), default: 0] += day.value.seconds / 60
        }
        return byWeek.filter { $0.value > 0 }.sorted { ($1.value, $1.key) < ($0.value, $0.key) }
            .map { (monday: $0.key, minutes: $0.value) }
    }

    public static func == (a: PracticeStatistics, b: PracticeStatistics) -> Bool {
        a.answers == b.answers && a.right == b.right && a.mastery == b.mastery && a.minutes == b.minutes
            && a.since == b.since && a.testCount == b.testCount && a.averageTestScore == b.averageTestScore
            && a.drillCount == b.drillCount && a.recentDays.elementsEqual(b.recentDays) { $0 == $1 }
    }
}

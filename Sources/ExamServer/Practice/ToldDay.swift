import Learning
import Study

/// A learner's day and progress.
struct ToldDay: Encodable, Sendable {
    var day: String
    var streak: ToldStreak
    var minutesADay: Int
    var minutesToday: Double
    /// The numbers of items for the rest of the day.
    var due, new: Int
    /// The rest days. 1 is Monday.
    var restDays: [Int]
    var isRestDay: Bool
    /// The last day of the pause that includes today.
    var pauseUntil: String?
    /// The drill that was interrupted.
    var drill: Left?
    var statistics: Statistics
    var spoken: [Spoken]
    /// The answers of exams to give again today.
    var again: [DueAgain]

    struct ToldStreak: Encodable, Sendable {
        var days, longest: Int
        var hasToday, isAtRisk: Bool

        init(_ run: Streak) {
            (days, longest, hasToday, isAtRisk) = (run.days, run.longest, run.hasToday, run.isAtRisk)
        }
    }

    struct Left: Encodable, Sendable { var number, done, count: Int }

    struct Spoken: Encodable, Sendable {
        var kind: String
        var count, reached: Int
    }

    struct Statistics: Encodable, Sendable {
        struct Day: Encodable, Sendable {
            var day: String
            var minutes: Double
            var answers, right: Int
        }
        var answers, right: Int
        var minutes, minutesThisWeek: Double
        var drills, tests: Int
        var averageTestScore: Double?
        var since: String?
        /// The number of items with each mastery, 0 to 5.
        var mastery: [Int]
        var days: [Day]

        init(_ figures: PracticeStatistics) {
            (answers, right) = (figures.answers, figures.right)
            (minutes, minutesThisWeek) = (figures.minutes.tenths, figures.minutesThisWeek.tenths)
            (drills, tests) = (figures.drillCount, figures.testCount)
            (averageTestScore, since, mastery) = (figures.averageTestScore, figures.since?.text, figures.mastery)
            days = figures.recentDays.map {
                Day(day: $0.day.text, minutes: $0.minutes.tenths, answers: $0.answers, right: $0.right)
            }
        }
    }

    init(_ shown: PracticeDay) {
        let (step, history, load) = (shown.step, shown.history, shown.load)
        let today = step.moment.day
        day = today.text
        streak = ToldStreak(shown.streak)
        minutesADay = history.minutesADay
        minutesToday = shown.minutes.tenths
        due = load.exercises.count { $0.role == .due }
        new = load.exercises.count { $0.role == .new }
        restDays = history.rest.weekdays(on: today).sorted()
        isRestDay = history.rest.contains(today)
        pauseUntil = history.rest.pause(on: today)?.text
        drill = step.openDrill.map { Left(number: $0.number, done: $0.done, count: $0.count) }
        statistics = Statistics(shown.statistics)
        spoken = history.spoken.sorted { $0.key < $1.key }.map {
            Spoken(kind: $0.key, count: $0.value.count, reached: $0.value.reached)
        }
        again = shown.again
    }
}

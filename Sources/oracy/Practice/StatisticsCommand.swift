import ArgumentParser
import Learning
import Study
import StudyFolders

extension PracticeCommand {
    struct Statistics: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "statistics",
            abstract: "Show your practice in figures: minutes, accuracy, streak, mastery.")

        @Flag(help: "Print the figures as JSON.")
        var json = false

        func run() async throws {
            try await failing {
                let history = try await OwnPlan().facts().historyWithExams
                let today = StudyMoment.now.day
                let figures = PracticeStatistics(history, today: today)
                let streak = Streak(history, today: today)
                if json { return print(JSONText.of(StatisticsReport(figures, streak, history)), whole: true) }
                for line in StatisticsText.lines(figures, streak, history, glyphs: .ofLocale) { print(line) }
            }
        }
    }
}

/// Statistics on practice as text for people. Pure.
enum StatisticsText {
    static func lines(
        _ figures: PracticeStatistics, _ streak: Streak, _ history: PracticeHistory, glyphs: Glyphs
    ) -> [String] {
        guard let since = figures.since else { return ["You have not practised yet. To start: oracy practice"] }
        var lines = ["Since \(since.text): \(figures.minutes.oneDecimal) minutes, \(figures.answers.of("answer"))"]
        if let accuracy = figures.accuracy { lines[0] += ", \(Int((accuracy * 100).rounded())) % right" }
        lines.append("Streak: \(streak.days.of("day")), the longest \(streak.longest)")
        lines.append("This week: \(figures.minutesThisWeek.oneDecimal) minutes, of \(history.minutesADay) a day")
        lines += ["", "The last fourteen days, in minutes:"]
        lines.append("  " + glyphs.heights(figures.recentDays.map { $0.minutes }, from: 0))
        lines.append("  \(figures.recentDays[0].day.text) to \(figures.recentDays[13].day.text)")
        lines += ["", "Mastery of the questions asked so far:"]
        let most = max(1, figures.mastery.max() ?? 1)
        for (level, count) in figures.mastery.enumerated() {
            let bar = String(repeating: "#", count: count * 30 / most)
            lines.append("  \(level)  \("\(count)".leftPadded(to: 4))  \(bar)  \(levels[level])".trimmedEnd)
        }
        if figures.drillCount > 0 { lines += ["", "Drills: \(figures.drillCount)"] }
        if let score = figures.averageTestScore {
            lines.append("Tests: \(figures.testCount), \(Int((score * 100).rounded())) % right on average")
        }
        for (kind, totals) in history.spoken.sorted(by: { $0.key < $1.key }) {
            lines.append("\(kind): \(totals.count.of("time")), target reached \(totals.reached)")
        }
        return lines.map(glyphs.text)
    }

    private static let levels = [
        "only as extra practice", "seen", "known for a day", "for a week", "for three weeks", "for three months",
    ]
}

private struct StatisticsReport: Encodable {
    struct Day: Encodable {
        var day: String
        var minutes: Double
        var answers, right: Int
    }

    var answers, right, drills, tests: Int
    var minutes, minutesThisWeek: Double
    var minutesADay: Int
    var averageTestScore: Double?
    var streak, longestStreak: Int
    var mastery: [Int]
    var days: [Day]

    init(_ figures: PracticeStatistics, _ streak: Streak, _ history: PracticeHistory) {
        (answers, right) = (figures.answers, figures.right)
        (drills, tests) = (figures.drillCount, figures.testCount)
        (minutes, minutesThisWeek) = (figures.minutes, figures.minutesThisWeek)
        (minutesADay, averageTestScore) = (history.minutesADay, figures.averageTestScore)
        (self.streak, longestStreak) = (streak.days, streak.longest)
        mastery = figures.mastery
        days = figures.recentDays.map {
            Day(day: $0.day.text, minutes: $0.minutes, answers: $0.answers, right: $0.right)
        }
    }
}

extension String {
    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }

    fileprivate var trimmedEnd: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

import ArgumentParser
import Learning
import SessionFolders
import Study
import StudyFolders
import SystemSupport

extension PracticeCommand {
    struct Day: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "day",
            abstract: "Show today's practice, or set your daily minutes, rest days and pauses.",
            discussion: """
                A day begins at four in the morning. One missed day does not end a streak, but two in a row do. Rest \
                days do not count.
                """)

        @Option(help: "Minutes a day, 1 to 240. At first: 10.")
        var minutes: Int?

        @Option(help: "Weekly rest days: sat,sun or none.")
        var rest: WeekdayList?

        @Option(help: "Pause from today to this day: 2026-12-24.")
        var pauseUntil: WrittenDay?

        @Flag(help: "End the pause today.")
        var endPause = false

        func validate() throws {
            if endPause, pauseUntil != nil {
                throw ValidationError("Use either --end-pause or --pause-until.")
            }
            if let minutes, !(1...240).contains(minutes) {
                throw ValidationError("--minutes must be between 1 and 240.")
            }
        }

        func run() async throws {
            try await failing {
                // Exams count, too.
                for problem in SessionAssessing.measureAll(on: SessionShelf()) { complain("note: \(problem.sentence)") }
                let practising = Practising.own
                let now = StudyMoment.now
                var days = PracticeDays()
                (days.minutes, days.restDays, days.pauseUntil) = (minutes, rest?.days, pauseUntil?.day)
                days.endsPause = endPause
                if let last = days.pauseUntil, last < now.day {
                    throw Problem(.malformed, "--pause-until: \(last.text) is in the past; today is \(now.day.text)")
                }
                let wanted = days
                try await practising.take(at: now) { step in
                    guard step.change(wanted) else {
                        throw Problem(.missing, "--end-pause: you are not pausing today")
                    }
                }
                let day = try await practising.day(at: now)
                for line in DrillText.today(day) { print(line) }
                let (history, load) = (day.history, day.load)
                let new = load.exercises.count { $0.role == .new }
                print(
                    "Due: \(load.dueCount). In today's \(load.minutesLeft.oneDecimal) minutes: "
                        + "\(load.exercises.count - new) due and \(new) new.")
                if let open = history.openDrill {
                    print("A drill is unfinished, with \(open.answered.count.of("answer")) so far.")
                }
                if let last = history.rest.pause(on: now.day) {
                    print(
                        "You pause until \(last.text). Your streak is kept. To end it: oracy practice day --end-pause")
                } else if history.rest.contains(now.day) {
                    print("Today is a rest day.")
                }
                for line in DrillText.again(day.again) { print(line.cleaned) }
            }
        }
    }

    struct WeekdayList: ExpressibleByArgument {
        /// The days' numbers; 1 is Monday.
        let days: [Int]

        init?(argument: String) {
            let words = argument.lowercased().split(separator: ",")
            let found = words.compactMap { word in Self.names.firstIndex { $0 == word.prefix(3) }.map { $0 + 1 } }
            guard argument == "none" || !found.isEmpty && found.count == words.count else { return nil }
            days = argument == "none" ? [] : Set(found).sorted()
        }

        static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    }
}

/// A day in the form `2026-12-24`.
struct WrittenDay: ExpressibleByArgument {
    let day: StudyDay

    init?(argument: String) {
        guard let day = StudyDay(argument) else { return nil }
        self.day = day
    }
}

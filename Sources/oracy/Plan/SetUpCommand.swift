import ArgumentParser
import Glibc
import Learning
import Study
import StudyFolders
import SystemSupport

extension PlanCommand {
    struct SetUp: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "setup",
            abstract: "Set up your profile: your goal and your time. Makes the first plan.",
            discussion: """
                In a terminal, asks for what the options leave out. If you run it again, it changes what you name and \
                keeps the rest; `oracy plan make --anew` then plans by it. The profile stays on this machine (`oracy \
                plan copy`, `oracy plan erase`).
                """)

        @Option(help: "Your name.")
        var name: String?

        @Option(help: "Your present situation, such as \"second year\" or \"looking for work\".")
        var stage: String?

        @Option(help: ArgumentHelp("Your goal, such as \"IELTS 7\" or \"nurse in Leeds\".", valueName: "aim"))
        var target: String?

        @Option(help: "Hours a day that you can practise: 0.5.")
        var hours: Double?

        @Option(help: "The days on which you can practise: mon,tue,wed,thu,fri.")
        var days: PracticeCommand.WeekdayList?

        @Option(help: "The band that you want, 0 to 9 by halves.")
        var band: Double?

        @Option(help: "The day of your test: 2026-12-20.")
        var testDate: WrittenDay?

        @Option(help: "The kind of test: exam or interview.", transform: SetUp.format)
        var format: PlanFormat?

        @Option(help: "A constraint: \"not before 18:00\", \"no speaking on Monday\". Repeatable.")
        var constraint: [String] = []

        @Flag(help: "Remove the earlier constraints.")
        var noConstraints = false

        private static func format(_ word: String) throws -> PlanFormat {
            guard let format = PlanFormat(rawValue: word) else {
                throw ValidationError("\(word) is not a format. Use exam or interview.")
            }
            return format
        }

        func run() async throws {
            try await failing {
                let own = try OwnPlan()
                let old = try await own.planning.book()
                let profile = try asked(old?.profile)
                if let fault = profile.fault { throw Problem(.malformed, fault) }
                for text in profile.constraints ?? [] where PlanConstraint(text).rule == nil {
                    complain("note: \"\(text)\" is not understood and was ignored. \(PlanConstraint.examples)")
                }
                own.measure()
                let (book, facts) = try await own.planning.use(profile, at: .now)
                guard old == nil else { return print("Saved. To plan by it: oracy plan make --anew") }
                print(PlanText.kept(PlanDay(book, facts.knowledge)))
            }
        }

        /// Takes each value from the options, otherwise from the old profile, otherwise by asking.
        private func asked(_ old: LearnerProfile?) throws -> LearnerProfile {
            let name = try name ?? old?.name ?? Self.ask("Your name")
            let target = try target ?? old?.targetRole ?? Self.ask("What is your goal? (IELTS 7, nurse in Leeds)")
            let stage = try stage ?? old?.stage ?? Self.ask("What do you do now? (second year, looking for work)")
            let hours =
                try hours ?? old?.timeBudgetHoursPerDay ?? Self.number("How many hours a day can you practise? (0.5)")
            let days = try days?.days ?? old?.availableDays.map(\.number) ?? Self.weekdays()
            var constraints = constraint + (noConstraints ? [] : old?.constraints ?? [])
            var date = testDate?.day ?? old?.testDate
            if old == nil, isatty(STDIN_FILENO) == 1 {
                if date == nil {
                    date = try Self.optional("The day of your test, if there is one (2026-12-20)", StudyDay.init)
                }
                if constraint.isEmpty {
                    constraints += try Self.lines("Any constraints? (not before 18:00; no speaking on Monday)")
                }
            }
            return LearnerProfile(
                name: name, stage: stage, targetRole: target, timeBudgetHoursPerDay: hours,
                availableDays: Weekday.allCases.filter { days.contains($0.number) },
                constraints: constraints.isEmpty
                    ? nil : constraints.reduce(into: []) { if !$0.contains($1) { $0.append($1) } },
                goalBand: band ?? old?.goalBand, testDate: date, format: format ?? old?.format)
        }

        // MARK: - Asking

        /// - Throws: `Problem.missing` if there is no terminal to ask at.
        private static func ask(_ question: String) throws(Problem) -> String {
            guard isatty(STDIN_FILENO) == 1 else {
                throw Problem(
                    .missing, "cannot ask questions without a terminal; use options (oracy plan setup --help)")
            }
            print("\(question): ", terminator: "")
            fflush(nil)
            guard let line = readLine() else { throw Problem(.missing, "you stopped the setup, so nothing was saved") }
            let text = line.cleaned.split(separator: " ").joined(separator: " ")
            return text.isEmpty ? try ask(question) : text
        }

        private static func number(_ question: String) throws(Problem) -> Double {
            while true {
                if let number = Double(try ask(question).replacing(",", with: ".")), number > 0 { return number }
                print("Please type a number, such as 0.5 for half an hour.")
            }
        }

        private static func weekdays() throws(Problem) -> [Int] {
            while true {
                if let days = PracticeCommand.WeekdayList(
                    argument: try ask("On which days can you practise? (mon,tue,wed,thu,fri)"))?
                    .days,
                    !days.isEmpty
                {
                    return days
                }
                print("Please type days like mon,wed,fri.")
            }
        }

        /// Asks for an optional value; nil if the user enters nothing.
        private static func optional<Value>(_ question: String, _ read: (String) -> Value?) throws(Problem) -> Value? {
            while true {
                print("\(question): ", terminator: "")
                fflush(nil)
                guard let line = readLine()?.filter({ !$0.isWhitespace }), !line.isEmpty else { return nil }
                if let value = read(line) { return value }
                print("That is not understood. Try again, or press Enter to leave it out.")
            }
        }

        /// Asks for lines until the user enters an empty one.
        private static func lines(_ question: String) throws(Problem) -> [String] {
            print("\(question) Press Enter to continue.")
            var lines: [String] = []
            while true {
                print("  ", terminator: "")
                fflush(nil)
                guard let line = readLine()?.cleaned, line.contains(where: { !$0.isWhitespace }) else { return lines }
                if PlanConstraint(line).rule == nil {
                    print("  That is not understood. \(PlanConstraint.examples)")
                } else {
                    lines.append(line)
                }
            }
        }
    }
}

import ArgumentParser
import Backends
import ExamCore
import Learning
import Study
import StudyFolders
import SystemSupport

extension PracticeCommand {
    struct Board: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "board",
            abstract: "Show your best weeks in minutes, and your group's week if you joined its board.",
            discussion: """
                Your backend keeps a board for each group of your account (oracy uploads to backend URL). Only \
                learners who join appear on it, under a name they choose, and only they can see it. It compares the \
                minutes of the last seven days, and nothing else.
                """)

        @Option(help: "Join the board, under this name.")
        var join: String?

        @Flag(help: "Leave the board.")
        var leave = false

        @Option(help: "The group, if you are in several.")
        var group: String?

        func validate() throws {
            if leave, join != nil { throw ValidationError("Use either --join or --leave.") }
            if let join, !(1...40).contains(join.count) {
                throw ValidationError("--join takes a name of 1 to 40 characters.")
            }
        }

        func run() async throws {
            try await failing {
                if join != nil || leave || group != nil { return try await groups(try BackendTests()) }
                let today = StudyMoment.now.day
                for line in BoardText.weeks(try await Practising.own.state().history, today: today) { print(line) }
                // Without a backend there are no groups.
                guard let backend = try? BackendTests() else { return }
                do {
                    try await groups(backend)
                } catch let problem as Problem {
                    complain("note: \(problem.sentence)")
                }
            }
        }

        private func groups(_ backend: BackendTests) async throws {
            var boards = try await backend.asking { try await $0.boards() }
            if join != nil || leave || group != nil {
                let meant = boards.filter { group == nil || $0.group == group }
                guard let board = meant.first, meant.count == 1 else {
                    let there = boards.isEmpty ? "none" : boards.map(\.group).spoken
                    throw Problem(.missing, "name a group with --group; yours at \(backend.place): \(there)")
                }
                if let join { try await backend.asking { try await $0.joinBoard(of: board.group, as: join) } }
                if leave { try await backend.asking { try await $0.leaveBoard(of: board.group) } }
                boards = try await backend.asking { try await $0.boards() }.filter { $0.group == board.group }
            }
            for line in boards.flatMap(BoardText.lines) { print(line.cleaned) }
        }
    }
}

/// Boards as text for people. Pure.
enum BoardText {
    /// The best five weeks and the current one.
    static func weeks(_ history: PracticeHistory, today: StudyDay) -> [String] {
        let weeks = PracticeStatistics.weeks(of: history)
        guard !weeks.isEmpty else { return ["You have not practised yet. To start: oracy practice"] }
        let monday = today.advanced(by: 1 - today.weekday)
        let shown = weeks.enumerated().filter { $0.offset < 5 || $0.element.monday == monday }
        let rows = shown.map { place, week in
            [
                "\(place + 1)", week.monday == monday ? "this week" : "week of \(week.monday.text)",
                week.minutes.oneDecimal,
            ]
        }
        return ([["", "YOUR WEEKS", "MINUTES"]] + rows).columns(right: 2...2)
    }

    static func lines(_ board: PracticeBoard) -> [String] {
        guard let rows = board.rows else {
            return ["", "\(board.group): you are not on its board; to join: oracy practice board --join NAME"]
        }
        let table = rows.map { ["\($0.place)", $0.isYou ? "\($0.name) (you)" : $0.name, $0.minutes.oneDecimal] }
        return [""] + ([["", board.group, "MINUTES, LAST 7 DAYS"]] + table).columns(right: 2...2)
    }
}

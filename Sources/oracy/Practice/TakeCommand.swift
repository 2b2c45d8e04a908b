import ArgumentParser
import Backends
import ExamKit
import Learning

extension PracticeCommand {
    struct Take: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "take",
            abstract: "Take a test: answers can be changed until it is handed in.",
            discussion:
                """
                Each answer is kept at once. Leave it when you like; it goes on where you were. Ends with 75 where it was left. A test of your \
                backend (`oracy practice fetch`) can be taken without a network: it goes there later, and is graded there.
                """
        )

        @Argument(help: "A test's id. Default: the one at hand; a backend's test is named by its id.")
        var id: String?

        @Flag(help: "Go on half a second after an answer.")
        var autoAdvance = false

        @Flag(help: "Lines in any case, for screen readers.")
        var plain = false

        func run() async throws {
            try await failing {
                if let id, let fetched = try FetchedTests().test(id) { return try await take(fetched) }
                let shelf = try TestShelf()
                let test =
                    try id.map { try shelf.test($0) } ?? TestBoard(shelf.tests(), today: StudyMoment.now.day).current
                guard let test else {
                    throw Problem(.missing, "there is no test at hand: oracy practice new makes one")
                }
                let sheet = try OwnTestSheet(test, on: shelf)
                try await hold(sheet, isHandedIn: { TestResult(sheet.test) != nil })
                guard let result = TestResult(sheet.test) else { return }
                for line in TestText.lines(result, of: sheet.test) { print(line.cleaned) }
            }
        }

        /// Runs a backend's test. The backend grades it once it has arrived.
        private func take(_ fetched: FetchedTest) async throws {
            let desk = try BackendTests()
            let sheet = try FetchedTestSheet(fetched, in: desk.kept, queue: desk.queue(for: fetched))
            try await hold(sheet, isHandedIn: { sheet.kept.attempt.state != .inProgress })
            for line in try await desk.sent(sheet.kept) { print(line.cleaned) }
        }

        /// - Throws: `ExitCode` 75 if the learner left the test.
        private func hold(_ sheet: any TestSheet, isHandedIn: () -> Bool) async throws {
            let taking = TestTaking(sheet, goesOnAfter: autoAdvance ? Drill.autoAdvance : nil)
            try await !plain && Terminal.isRoomy
                ? TestScreen(taking: taking).hold() : TestLines(taking: taking).hold()
            guard !isHandedIn() else { return }
            print("\(taking.progress). oracy practice take\(id.map { " \($0)" } ?? "") goes on.")
            throw ExitCode(75)
        }
    }
}

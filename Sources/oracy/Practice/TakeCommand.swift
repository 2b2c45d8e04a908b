import ArgumentParser
import Backends
import Learning
import StudyFolders
import SystemSupport

extension PracticeCommand {
    struct Take: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "take",
            abstract: "Take a test. You can change answers until you hand it in.",
            discussion:
                """
                Each answer is saved at once. You can leave the test and continue later; the exit code is then 75. You \
                can take your backend's tests (`oracy practice fetch`) without a network. They are sent to it and \
                graded later.
                """
        )

        @Argument(help: "A test's id, needed for a backend's test. Default: your current test.")
        var id: String?

        @Flag(help: "Continue to the next question half a second after an answer.")
        var autoAdvance = false

        @Flag(help: "Always print lines instead of drawing a screen, for screen readers.")
        var plain = false

        func run() async throws {
            try await failing {
                if let id, let fetched = try FetchedTests().test(id) { return try await take(fetched) }
                let shelf = FolderShelf()
                let test =
                    try id.map { try shelf.tests.test($0) }
                    ?? TestBoard(shelf.tests.all(), today: StudyMoment.now.day).current
                guard let test else {
                    throw Problem(.missing, "there is no current test; make one with oracy practice new")
                }
                let sheet = try await OwnTestSheet(test.id, on: shelf)
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
            let taking = TestAtHand(sheet, goesOnAfter: autoAdvance ? Drill.autoAdvance : nil)
            try await !plain && Terminal.isRoomy
                ? TestScreen(taking: taking).hold() : TestLines(taking: taking).hold()
            guard !isHandedIn() else { return }
            print("\(taking.progress). To continue: oracy practice take\(id.map { " \($0)" } ?? "")")
            throw ExitCode(75)
        }
    }
}

import ArgumentParser
import ExamCore
import ExamKit
import Learning
import Papers
import SystemSupport

struct PracticeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "practice", abstract: "Ten minutes a day: questions, lessons, and tests made of them.",
        subcommands: [
            DrillCommand.self, Day.self, Statistics.self, Board.self, Packs.self, Lessons.self, LessonPage.self,
            Tests.self,
            New.self, Fetch.self, Take.self, Speak.self, Show.self, Lint.self, Import.self, Export.self, Copy.self,
            Erase.self,
        ],
        defaultSubcommand: DrillCommand.self)

    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Make a test of five-choice questions, from the bank or by a model.",
            discussion: """
                The same bank, wishes and --seed make the same test. With --from ollama or openai a model writes each question on each --topic \
                in turn; what breaks a rule is asked again, and after five answers a question of the bank stands in.
                """)

        @OptionGroup var wishes: PaperArguments

        @OptionGroup var source: ModelArguments

        @Option(help: "How many questions, 1 to 100.")
        var questions = 10

        @Option(help: "Chance begins with this number. Default: any.")
        var seed: UInt64?

        @Option(help: "The day that it is for: 2026-12-01. It is listed as coming until then.")
        var on: WrittenDay?

        @Argument(help: "A test that was stopped or failed, with --resume.")
        var id: String?

        func validate() throws {
            guard (1...100).contains(questions) else { throw ValidationError("--questions is 1 to 100.") }
            if (id != nil) != source.resume { throw ValidationError("--resume goes with the id of a test.") }
        }

        func run() async throws {
            try await failing {
                let shelf = try TestShelf()
                if let id { return try await TestWriting(resuming: id, source, on: shelf).run() }
                let request = PracticeTestRequest(
                    topics: wishes.topic.map { $0.lowercased() }, difficulty: wishes.difficulty?.difficulty,
                    questionCount: questions, seed: seed ?? .random(in: 0...UInt64(UInt32.max)))
                var test = PracticeTest(id: shelf.newID(), request, bank: shelf.bank)
                test.scheduledFor = on?.day.text
                guard source.from == .bank else {
                    return try await TestWriting(test, source, on: shelf).run()
                }
                guard let drawn = DrawnTest(request, from: shelf.bank) else {
                    throw Problem(.missing, "the bank has \(shelf.bank.count) questions, and \(questions) are wanted")
                }
                try test.handle(.written(drawn.questions))
                try shelf.write(test)
                TestText.made(test)
            }
        }
    }

    struct Tests: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tests",
            abstract: "Your tests: the one at hand, those to come, and those that were handed in.")

        func run() async throws {
            try await failing {
                let board = TestBoard(try TestShelf().tests(), today: StudyMoment.now.day)
                let fetched = try FetchedTests().tests()
                for line in TestText.board(board, fetched) { print(line.cleaned) }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "A test's questions; its results, once it was handed in.")

        @Argument(help: "A test's id: `oracy practice tests` lists yours.")
        var id: String

        @Flag(help: "With the right answers, and why they are right.")
        var key = false

        func run() async throws {
            try await failing {
                if let fetched = try FetchedTests().test(id) {
                    for line in FetchedTestText.lines(fetched) { print(line.cleaned) }
                    return
                }
                let test = try TestShelf().test(id)
                let lines = TestResult(test).map { TestText.lines($0, of: test) } ?? TestText.lines(test, withKey: key)
                for line in lines { print(line.cleaned) }
            }
        }
    }

    struct Lint: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lint",
            abstract:
                "Look for flaws in packs of questions: keys known by their length, options that speak of others …",
            discussion: "Ends with 65 where it finds one. docs/practice.md has the rules.")

        @Argument(help: "Files of packs.")
        var files: [String]

        func run() async throws {
            try await failing {
                var (questions, flaws) = (0, 0)
                for file in files {
                    let pack = try QuestionPack.read(from: PrivateFile.read(file), name: file)
                    questions += pack.questions.count
                    for (id, finding) in pack.findings {
                        flaws += 1
                        print("\(file): \(id): \(finding.sentence)".cleaned)
                    }
                }
                print("\(questions.of("question")), \(flaws == 0 ? "no flaw" : flaws.of("flaw"))")
                if flaws > 0 { throw ExitCode(65) }
            }
        }
    }
}

import ArgumentParser
import Learning
import Papers
import Study
import StudyFolders
import SystemSupport

struct PracticeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "practice", abstract: "Practise for ten minutes a day: questions, lessons and tests.",
        subcommands: [
            DrillCommand.self, Day.self, Statistics.self, Board.self, Packs.self, Lessons.self, LessonPage.self,
            Tests.self,
            New.self, Fetch.self, Take.self, Speak.self, Show.self, Lint.self, Import.self, Review.self, Export.self,
            Copy.self,
            Erase.self,
        ],
        defaultSubcommand: DrillCommand.self)

    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Make a test of five-choice questions, from the bank or by a model.",
            discussion: """
                The same bank, options and --seed make the same test. With --from ollama or openai, a model writes the \
                questions on each --topic in turn. A question that breaks a rule is written again; after five \
                attempts, one from the bank replaces it.
                """)

        @OptionGroup var wishes: TestArguments

        @OptionGroup var source: ModelArguments

        @Option(help: "How many questions, 1 to 100.")
        var questions = 10

        @Option(help: "The number that random choices start from. Default: random.")
        var seed: UInt64?

        @Option(help: "The name of the course to which the test belongs.")
        var course: String?

        @Option(
            help: "The day of the test, such as 2026-12-01. Until then, the list of tests shows it as a future one.")
        var on: WrittenDay?

        @Argument(help: "With --resume: the test that was stopped or failed.")
        var id: String?

        func validate() throws {
            guard (1...100).contains(questions) else { throw ValidationError("--questions must be between 1 and 100.") }
            if let course, course.cleaned.allSatisfy(\.isWhitespace) {
                throw ValidationError("--course needs a name.")
            }
            if (id != nil) != source.resume {
                throw ValidationError("--resume needs a test's id, and a test's id needs --resume.")
            }
        }

        func run() async throws {
            try await failing {
                let (shelf, bank) = (OwnTests(), FolderShelf().practiceContent(with: nil).bank)
                if let id { return try await TestWriting(resuming: id, source, on: shelf, bank).run() }
                let request = PracticeTestRequest(
                    courseName: course?.cleaned, topics: wishes.topic.map { $0.lowercased() },
                    difficulty: wishes.difficulty?.difficulty,
                    questionCount: questions, seed: seed ?? .random(in: 0...UInt64(UInt32.max)))
                var test = PracticeTest(id: shelf.newID(), request, bank: bank)
                test.scheduledFor = on?.day.text
                guard source.from == .bank else {
                    return try await TestWriting(test, source, on: shelf, bank).run()
                }
                if let unknown = request.unknownTopic(in: bank) { throw Problem(.missing, unknown.sentence) }
                guard let drawn = DrawnTest(request, from: bank) else {
                    throw Problem(
                        .missing, "the bank has only \(bank.count) of the \(questions) questions; ask for fewer")
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
            abstract: "List your tests: current ones, future ones, and those handed in.")

        func run() async throws {
            try await failing {
                let board = TestBoard(try OwnTests().all(), today: StudyMoment.now.day)
                let fetched = try FetchedTests().tests()
                for line in TestText.board(board, fetched) { print(line.cleaned) }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a test's questions, or its results once it was handed in.")

        @Argument(help: "A test's id (`oracy practice tests`).")
        var id: String

        @Flag(help: "Show the right answers and explanations.")
        var key = false

        func run() async throws {
            try await failing {
                if let fetched = try FetchedTests().test(id) {
                    for line in FetchedTestText.lines(fetched) { print(line.cleaned) }
                    return
                }
                let test = try OwnTests().test(id)
                let lines = TestResult(test).map { TestText.lines($0, of: test) } ?? TestText.lines(test, withKey: key)
                for line in lines { print(line.cleaned) }
            }
        }
    }

    struct Lint: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lint",
            abstract:
                "Check packs of questions for flaws: keys given away by their length …",
            discussion: "Exits with code 65 if there are flaws. docs/practice.md lists the rules.")

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
                print("\(questions.of("question")), \(flaws == 0 ? "no flaws" : flaws.of("flaw"))")
                if flaws > 0 { throw ExitCode(65) }
            }
        }
    }
}

import ArgumentParser
import BackendAPI
import Backends
import Learning
import Study
import SystemSupport
import UploadQueue

extension PracticeCommand {
    struct Fetch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "fetch",
            abstract: "Fetch tests from your backend, and the results of those that you handed in.",
            discussion: """
                Tests come from the backend that you set with `oracy uploads to backend URL`. You can take a fetched \
                test without a network: oracy practice take ID.
                """)

        @Option(help: "Have the backend draw a new test of this many questions, 1 to 100.")
        var new: Int?

        @Option(help: "A topic of the new test. Repeatable.")
        var topic: [String] = []

        func validate() throws {
            if let new, !(1...100).contains(new) { throw ValidationError("--new must be between 1 and 100.") }
            if new == nil, !topic.isEmpty { throw ValidationError("--topic needs --new.") }
        }

        func run() async throws {
            try await failing {
                let desk = try BackendTests()
                if let new { _ = try await desk.asking { try await $0.makeTest(of: new, topics: topic) } }
                let brought = try await desk.fetch()
                for test in brought { print("\(test.id): \(test.test.count.of("question")), \(test.word)".cleaned) }
                guard let first = brought.first(where: { $0.attempt.state == .inProgress }) else {
                    return print(
                        brought.isEmpty
                            ? "\(desk.place) has no test for you. For one: oracy practice fetch --new 10"
                            : "No test is open.")
                }
                print("To take one: oracy practice take \(first.id)")
            }
        }
    }
}

/// The tests of the configured backend, on the server and on this machine.
struct BackendTests {
    let kept = FetchedTests()
    private let home = UploadsHome()
    private let destination: Destination
    private let client: QuizClient

    /// - Throws: `Problem.missing` if no destination is configured, or it has no tests.
    init() throws(Problem) {
        destination = try home.chosenDestination()
        client = try destination.quizzes(client: UploadsHome.client(), credentials: home.credentials(of: destination))
    }

    var place: String { destination.place }

    /// Returns the queue to which the test is handed in.
    ///
    /// - Throws: `Problem.malformed` if the test came from another destination.
    func queue(for test: FetchedTest) throws(Problem) -> DeliveryQueue {
        guard test.destination == destination.name else {
            throw Problem(
                .malformed, "\(test.id): belongs to another backend; choose that one again with `oracy uploads to`")
        }
        return try home.queue(to: destination)
    }

    /// - Throws: `Problem`: `denied` if the user isn't signed in; `unavailable`.
    func asking<Value>(_ ask: (QuizClient) async throws -> Value) async throws -> Value {
        do {
            return try await ask(client)
        } catch let failure as SubmissionFailure {
            throw Problem(failure.kind == .signInNeeded ? .denied : .unavailable, "\(place): \(failure.sentence)")
        }
    }

    /// Begins tests that are ready on the server and downloads them, with the results of those handed in.
    ///
    /// - Returns: All tests that have been downloaded, now or before, by id.
    func fetch() async throws -> [FetchedTest] {
        for offered in try await asking({ try await $0.tests() }) {
            let known = try kept.test(offered.id.name)
            switch offered.state {
            case .ready,
                .inProgress where known == nil:
                try kept.write(
                    FetchedTest(try await asking { try await $0.start(offered.id) }, of: destination.name))
            case .graded: if var known { _ = try await takeGrade(&known) }
            case .generating, .failed, .submitted, .inProgress: break
            }
        }
        return try kept.tests()
    }

    /// Sends a test that was handed in, and waits a moment for its grade.
    ///
    /// - Returns: The result as lines of text.
    func sent(_ test: FetchedTest) async throws -> [String] {
        let queue = try queue(for: test)
        let uploader = try home.uploader(to: destination)
        do throws(Problem) {
            _ = try await queue.send(through: uploader, until: .atRest, deadline: Self.patience)
        } catch {
            // Another program is sending already, and sends this entry too.
            guard error.kind == .occupied else { throw error }
        }
        let later = "To get the grade: oracy practice fetch"
        let upload = try queue.entries().last { $0.upload?.session.id == test.attempt.id }
        guard upload?.state == .delivered else {
            return ["Handed in, but \(place) cannot be reached now. To send it: oracy uploads watch. \(later)"]
        }
        var test = test
        for _ in 0..<Self.looks {
            if try await takeGrade(&test) { return FetchedTestText.lines(test) }
            try await Task.sleep(for: .milliseconds(500))
        }
        return ["Handed in, but not graded yet. \(later)"]
    }

    /// - Returns: Whether the test is graded.
    private func takeGrade(_ test: inout FetchedTest) async throws -> Bool {
        guard test.test.state != .graded else { return true }
        let id = test.attempt.id
        let found = try await asking { try await $0.test(id) }
        guard found.state == .graded, let result = found.result else { return false }
        // The log comes first: a test counts once by its id, however often it appears.
        try await Practising.own.keep([
            .tested(test: test.id, right: result.right, of: result.count, seconds: test.seconds)
        ])
        test.test = found
        test.attempt.handle(.submit)
        test.attempt.handle(.succeeded(.init(attemptId: id, message: "")))
        try kept.write(test)
        return true
    }

    private static let patience = Duration.seconds(10)
    /// The number of polls; graders look for work once a second.
    private static let looks = 10
}

/// A backend's test as text for people. Pure.
enum FetchedTestText {
    static func lines(_ test: FetchedTest) -> [String] {
        guard let result = test.test.result else { return open(test) }
        var lines = ["\(result.percentage) %  \(result.right) of \(result.count)  \(result.word) (\(result.grade))"]
        lines += result.advice.wrapped(to: terminalColumns - 4) + [""]
        for (number, question) in (test.test.questions ?? []).enumerated() {
            lines += self.lines(question, number)
        }
        return lines
    }

    private static func open(_ test: FetchedTest) -> [String] {
        let questions = test.test.questions ?? []
        var lines = ["\(test.id): \(test.word), \(test.attempt.answers.count) of \(questions.count) answered", ""]
        for (number, question) in questions.enumerated() {
            lines += TestText.numbered(number, question.prompt)
            lines += AskedQuestion(question)?.choiceLines ?? []
        }
        return lines
    }

    private static func lines(_ question: OfferedTest.Question, _ number: Int) -> [String] {
        let word = question.isRight == true ? "Right" : question.answer == nil ? "Not answered" : "Not right"
        var lines = TestText.numbered(number, "\(word): \(question.prompt)")
        if case .multipleChoice(let options)? = AskedQuestion(question)?.form {
            for (place, option) in options.enumerated() {
                let isYours = question.answer == .multipleChoice(selectedOption: place)
                let isRight = question.rightAnswer == .multipleChoice(selectedOption: place)
                lines.append(TestText.option(place, option, isRight: isRight, isYours: isYours))
            }
        } else {
            lines += AskedQuestion(question)?.choiceLines ?? []
            if let answer = question.answer?.practiceAnswer { lines.append("  yours: \(answer.typed)") }
            if let answer = question.rightAnswer?.practiceAnswer { lines.append("  right: \(answer.typed)") }
        }
        return lines + (question.explanation ?? "").wrapped(to: terminalColumns - 10).map { "     \($0)" } + [""]
    }
}

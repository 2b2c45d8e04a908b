import BackendAPI
import Backends
import FoundationEssentials
import Learning
import SystemSupport
import UploadQueue

/// A downloaded test of a backend: its questions, the learner's answers and its state.
struct FetchedTest: Codable {
    /// The version of this file's own layout. A reader refuses any other.
    static let layoutVersion = 1

    var version = Self.layoutVersion
    /// The name of the destination that it returns to.
    var destination: String
    var test: OfferedTest
    var attempt: QuizAttempt
    /// The time that the learner has spent on its questions.
    var seconds = 0.0

    init(_ test: OfferedTest, of destination: String) {
        (self.test, self.destination) = (test, destination)
        attempt = QuizAttempt(of: test)
        for question in test.questions ?? [] {
            if let answer = question.answer { attempt.handle(.answer(question: question.id, answer)) }
        }
    }

    var id: String { test.id.name }

    var word: String {
        if test.state == .graded { return test.result.map { "\($0.percentage) %" } ?? "graded" }
        return attempt.state == .inProgress ? "in progress" : "handed in, not graded yet"
    }
}

/// The downloaded tests of backends: `practice-tests/ID.fetched.json`.
struct FetchedTests {
    private let folder = UserFolders.data + "/practice-tests"

    static let ending = ".fetched.json"

    /// Returns the test whose id begins with `id`; nil if the id is unknown.
    func test(_ id: String) throws(Problem) -> FetchedTest? {
        let meant = ids.filter { $0.hasPrefix(id.lowercased()) }
        guard let first = meant.first, !id.isEmpty else { return nil }
        guard meant.count == 1 else {
            throw Problem(.missing, "\(id): several tests begin with this; type more of the id")
        }
        return try UserFile.read(FetchedTest.self, from: file(first))
    }

    func tests() throws(Problem) -> [FetchedTest] {
        var tests: [FetchedTest] = []
        for id in ids { tests.append(try UserFile.read(FetchedTest.self, from: file(id))) }
        return tests
    }

    func write(_ test: FetchedTest) throws(Problem) { try UserFile.write(test, to: file(test.id)) }

    private func file(_ id: String) -> String { "\(folder)/\(id)\(Self.ending)" }

    private var ids: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(Self.ending) }.map { String($0.dropLast(Self.ending.count)) }.sorted()
    }
}

/// A backend's test that the learner takes here, online or offline.
final class FetchedTestSheet: TestSheet {
    private(set) var kept: FetchedTest
    let questions: [AskedQuestion]
    private let tests: FetchedTests
    private let queue: DeliveryQueue

    /// - Parameter queue: The queue to which the test is handed in.
    /// - Throws: `Problem.malformed` if the test was already handed in, or contains a kind of question that this
    ///   program does not know.
    init(_ kept: FetchedTest, in tests: FetchedTests, queue: DeliveryQueue) throws(Problem) {
        guard kept.attempt.state == .inProgress else {
            throw Problem(
                .malformed, "\(kept.id): was handed in before; for its results: oracy practice show \(kept.id)")
        }
        let asked = (kept.test.questions ?? []).compactMap(AskedQuestion.init)
        guard !asked.isEmpty, asked.count == kept.test.questions?.count else {
            throw Problem(.malformed, "\(kept.id): has questions that this version of oracy cannot ask; update oracy")
        }
        (self.kept, questions, self.tests, self.queue) = (kept, asked, tests, queue)
    }

    var answers: [String: PracticeAnswer] { kept.attempt.answers.compactMapValues(\.practiceAnswer) }

    func keep(_ answer: PracticeAnswer, to question: String, seconds: Double) async throws {
        guard let sent = AnyAnswer(answer) else { return }
        kept.attempt.handle(.answer(question: question, sent))
        kept.seconds += max(0, seconds)
        try tests.write(kept)
    }

    /// Queues the answers on disk. The queue sends them exactly once.
    func handIn() async throws {
        guard kept.attempt.handle(.submit) else {
            throw Problem(.malformed, "\(kept.id): has no answers yet, so there is nothing to hand in")
        }
        // The queue identifies a quiz by its id. If the process stops between these two lines, handing in again adds no
        // second entry.
        try queue.add([QuizClient.queued(kept.attempt)])
        try tests.write(kept)
    }
}

extension AskedQuestion {
    /// Creates a question. Nil for a kind that this version does not know.
    init?(_ question: OfferedTest.Question) {
        let form: Form
        switch (question.type, question.options) {
        case ("multipleChoice", let options?): form = .multipleChoice(options: options)
        case ("multipleResponse", let options?): form = .multipleResponse(options: options)
        case ("ordering", let options?): form = .ordering(options: options)
        case ("matching", let options?):
            guard let premises = question.premises else { return nil }
            form = .matching(premises: premises, options: options)
        case ("fillInTheBlank", _): form = .fillInTheBlank
        case ("calculation", _): form = .calculation(units: question.units)
        default: return nil
        }
        self.init(id: question.id, prompt: question.prompt, form: form)
    }
}

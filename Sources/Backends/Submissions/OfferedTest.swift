public import BackendAPI
public import Foundation

/// A practice test at an Oracy backend. It contains no keys and no verdicts until it is graded.
public struct OfferedTest: Codable, Equatable, Sendable, Identifiable {
    public enum State: String, Codable, Equatable, Sendable {
        case generating, ready, inProgress, failed, submitted, graded
    }

    public struct Question: Codable, Equatable, Sendable, Identifiable {
        public var id, prompt: String
        /// `multipleChoice`, `multipleResponse`, `ordering`, `matching`, `fillInTheBlank`, `calculation` or `spoken`.
        public var type: String
        public var options, premises, units: [String]?
        public var answer: AnyAnswer?
        /// This and the next two are present once the test is graded.
        public var isRight: Bool?
        public var rightAnswer: AnyAnswer?
        public var explanation: String?
    }

    public struct Result: Codable, Equatable, Sendable {
        public var right, count, percentage: Int
        /// A colour, its word and a sentence.
        public var grade, word, advice: String
        /// The time spent on its questions.
        public var seconds: Double
    }

    public var id: UUID
    public var state: State
    public var topics: [String]
    public var count: Int
    /// A day such as `2026-12-01`.
    public var scheduledFor: String?
    public var failure: String?
    public var result: Result?
    /// Present if the test was requested by its id and has been written.
    public var questions: [Question]?
}

extension QuizClient {
    /// Fetches the learner's practice tests without their questions. Those that can be taken come first.
    public func tests() async throws(SubmissionFailure) -> [OfferedTest] {
        struct Board: Decodable {
            var current: OfferedTest?
            var recent, scheduled, others: [OfferedTest]
        }
        let board = try await ask(Board.self, "GET", routes.practiceTests)
        return [board.current].compactMap(\.self) + board.others + board.scheduled + board.recent
    }

    public func test(_ id: UUID) async throws(SubmissionFailure) -> OfferedTest {
        try await ask(OfferedTest.self, "GET", routes.practiceTest(id))
    }

    /// Has the backend draw a test from its bank.
    ///
    /// - Parameter count: 1 to 100.
    public func makeTest(of count: Int, topics: [String] = []) async throws(SubmissionFailure) -> OfferedTest {
        struct Wanted: Encodable {
            var count: Int
            var topics: [String]
        }
        return try await ask(
            OfferedTest.self, "POST", routes.practiceTests, body: Self.body(of: Wanted(count: count, topics: topics)))
    }

    /// Begins or resumes a test. The backend accepts answers from then on.
    public func start(_ id: UUID) async throws(SubmissionFailure) -> OfferedTest {
        try await ask(OfferedTest.self, "POST", routes.practiceTest(id) + "/start")
    }
}

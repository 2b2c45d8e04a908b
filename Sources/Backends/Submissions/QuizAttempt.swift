public import BackendAPI
public import Foundation

/// A quiz on its way to a backend (U5, U6): a value; whoever keeps it writes it down after each event.
///
/// ```
/// inProgress ──submit──► submitting ──succeeded──► submitted
///     ▲                      │
///     └───────failed─────────┘     the answers are what they were
/// ```
public struct QuizAttempt: Codable, Equatable, Sendable, Identifiable {
    public enum State: Codable, Equatable, Sendable {
        case inProgress
        case submitting
        /// The backend has it, under this id; it is graded later (U12).
        case submitted(attempt: UUID)
    }

    public enum Event: Equatable, Sendable {
        /// Changeable until it is submitted.
        case answer(question: String, AnyAnswer)
        case submit
        case succeeded(QuizSubmissionResponse)
        case failed(SubmissionFailure)
    }

    /// The submission's: the same attempt has the same one, so that a backend can tell a repetition (U8).
    public let id: UUID
    /// Whether the questions were put together by an application: such a quiz is opened at the backend when it is first handed in. A practice test is
    /// there before, and one that was deleted there is not opened again.
    public let isOwn: Bool
    public private(set) var state = State.inProgress
    /// By question.
    public private(set) var answers: [String: AnyAnswer] = [:]
    /// Why the last try failed, one sentence; nil where none did.
    public private(set) var failure: String?

    /// Begins an application's own quiz: questions of the item bank, say.
    public init(id: UUID) { (self.id, isOwn) = (id, true) }

    /// Begins with a backend's practice test.
    public init(of test: OfferedTest) { (id, isOwn) = (test.id, false) }

    private enum CodingKeys: CodingKey { case id, isOwn, state, answers, failure }

    /// Attempts that were written before version 1.1.0 are at practice tests.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(UUID.self, forKey: .id)
        isOwn = try fields.decodeIfPresent(Bool.self, forKey: .isOwn) ?? false
        state = try fields.decode(State.self, forKey: .state)
        answers = try fields.decode([String: AnyAnswer].self, forKey: .answers)
        failure = try fields.decodeIfPresent(String.self, forKey: .failure)
    }

    /// - Returns: false where the event cannot happen now; nothing has changed then.
    @discardableResult
    public mutating func handle(_ event: Event) -> Bool {
        switch (state, event) {
        case (.inProgress, .answer(let question, let answer)): answers[question] = answer
        case (.inProgress, .submit) where !answers.isEmpty: (state, failure) = (.submitting, nil)
        case (.submitting, .succeeded(let response)): state = .submitted(attempt: response.attemptId)
        case (.submitting, .failed(let why)): (state, failure) = (.inProgress, why.sentence)
        default: return false
        }
        return true
    }

    /// What is sent, in the order of the questions' ids: the same answers are the same bytes.
    public var submission: QuizSubmissionRequest {
        QuizSubmissionRequest(
            answers: answers.sorted { $0.key < $1.key }.map { ClientAnswerInput(questionId: $0.key, answer: $0.value) })
    }
}

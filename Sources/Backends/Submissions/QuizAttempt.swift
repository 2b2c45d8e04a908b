public import BackendAPI
public import Foundation

/// A quiz on its way to a backend. It is a value, and its owner stores it after each event.
///
/// ```
/// inProgress ──submit──► submitting ──succeeded──► submitted
///     ▲                      │
///     └───────failed─────────┘     the answers stay the same
/// ```
public struct QuizAttempt: Codable, Equatable, Sendable, Identifiable {
    public enum State: Codable, Equatable, Sendable {
        case inProgress
        case submitting
        /// The backend has it under this id, and grades it later.
        case submitted(attempt: UUID)
    }

    public enum Event: Equatable, Sendable {
        /// The answer can be changed until the quiz is submitted.
        case answer(question: String, AnyAnswer)
        case submit
        case succeeded(QuizSubmissionResponse)
        case failed(SubmissionFailure)
    }

    /// The id of the submission. The same attempt has the same id, so that a backend can recognise a repetition.
    public let id: UUID
    /// Whether an application assembled the questions. Such a quiz is opened at the backend when it is first handed in.
    /// A practice test exists there already, and is not opened again if it was deleted there.
    public let isOwn: Bool
    public private(set) var state = State.inProgress
    /// The answers by question.
    public private(set) var answers: [String: AnyAnswer] = [:]
    /// The reason why the last try failed, in one sentence; nil if it didn't.
    public private(set) var failure: String?

    /// Begins an application's own quiz, for example from questions of the item bank.
    public init(id: UUID) { (self.id, isOwn) = (id, true) }

    /// Begins an attempt at a backend's practice test.
    public init(of test: OfferedTest) { (id, isOwn) = (test.id, false) }

    private enum CodingKeys: CodingKey { case id, isOwn, state, answers, failure }

    /// Attempts stored before version 1.1.0 are all at practice tests.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(UUID.self, forKey: .id)
        isOwn = try fields.decodeIfPresent(Bool.self, forKey: .isOwn) ?? false
        state = try fields.decode(State.self, forKey: .state)
        answers = try fields.decode([String: AnyAnswer].self, forKey: .answers)
        failure = try fields.decodeIfPresent(String.self, forKey: .failure)
    }

    /// - Returns: Whether the event is possible now. If not, nothing has changed.
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

    /// The request to send, in the order of the questions' ids, so that equal answers give equal bytes.
    public var submission: QuizSubmissionRequest {
        QuizSubmissionRequest(
            answers: answers.sorted { $0.key < $1.key }.map { ClientAnswerInput(questionId: $0.key, answer: $0.value) })
    }
}

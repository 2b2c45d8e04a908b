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
    public private(set) var state = State.inProgress
    /// By question.
    public private(set) var answers: [String: AnyAnswer] = [:]
    /// Why the last try failed, one sentence; nil where none did.
    public private(set) var failure: String?

    public init(id: UUID) { self.id = id }

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

public import Foundation

/// Answers handed in to a quiz or test. A submission is open until all answers are handed in, then it waits to be
/// graded.
public struct Submission: Codable, Equatable, Identifiable, Sendable {
    public enum Status: String, Codable, Sendable {
        case inProgress = "in_progress"
        case submitted, graded
    }

    public var id: UUID
    public var template: UUID?
    public var status: Status
    /// The id of the attempt, created with the first answers. It never changes.
    public var attempt: UUID?
    /// The answers by question. Each question has one answer, regardless of the number of batches.
    public var answers: [SubmissionAnswer]
    /// The grader's findings, as JSON.
    public var result: String?
    /// A time in UTC, such as `2026-11-21T09:12:29Z`.
    public var createdAt: String
    public var submittedAt: String?
    public var gradedAt: String?
}

/// The progress of a submission, without its answers.
public struct SubmissionStanding: Equatable, Sendable {
    public var status: Submission.Status
    public var attempt: UUID?
    /// The grader's findings as JSON, once it is graded.
    public var result: String?
}

/// One answer exactly as it was sent. A repetition is recognised by comparing it.
public struct SubmissionAnswer: Codable, Equatable, Sendable {
    /// The question's id as text.
    public var question: String
    /// JSON in a canonical form (sorted keys).
    public var answer: String

    public init(question: String, answer: String) {
        self.question = question
        self.answer = answer
    }
}

/// Some or all of a submission's answers.
public struct SubmissionBatch: Equatable, Sendable {
    /// 1 … `of`.
    public var number: Int
    /// The number of batches. The submission is handed in when all of them have arrived, in any order.
    public var of: Int
    public var answers: [SubmissionAnswer]

    public init(number: Int = 1, of: Int = 1, answers: [SubmissionAnswer]) {
        self.number = number
        self.of = of
        self.answers = answers
    }
}

/// The result of handing in answers.
public enum Submitted: Equatable, Sendable {
    /// The answers are stored. If `isWhole`, all batches are stored, and the submission waits to be graded.
    case accepted(attempt: UUID, isWhole: Bool)
    /// The answers were stored before under the same attempt. Nothing was written.
    case repeated(attempt: UUID, isWhole: Bool)
    /// The answers contradict the stored ones, which stay unchanged.
    case conflict(Conflict)
    /// This user has no such submission.
    case missing

    public enum Conflict: CaseIterable, Sendable {
        /// The batch, or one of its questions, is stored with a different answer.
        case otherAnswers
        /// The stored batches belong to a different number of batches.
        case otherCount
        /// Everything is stored, and differs from this.
        case alreadySubmitted
        /// It is a practice test that has not been started, or is still being written.
        case notInProgress
    }
}

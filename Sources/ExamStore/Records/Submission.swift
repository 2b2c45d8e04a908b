public import Foundation

/// Answers that are handed in (U1 to U8): open until they are, then waiting to be graded.
public struct Submission: Codable, Equatable, Identifiable, Sendable {
    public enum Status: String, Codable, Sendable {
        case inProgress = "in_progress"
        case submitted, graded
    }

    public var id: UUID
    public var template: UUID?
    public var status: Status
    /// Made once, when the first answers come; the same ever after.
    public var attempt: UUID?
    /// By question; a question has one answer, however many batches there were.
    public var answers: [SubmissionAnswer]
    /// A grader's findings: JSON.
    public var result: String?
    /// `2026-11-21T09:12:29Z`.
    public var createdAt: String
    public var submittedAt: String?
    public var gradedAt: String?
}

/// How far a submission is, without its answers.
public struct SubmissionStanding: Equatable, Sendable {
    public var status: Submission.Status
    public var attempt: UUID?
    /// A grader's findings, once it is graded: JSON.
    public var result: String?
}

/// One answer as it was sent, letter by letter: a repetition is known by it.
public struct SubmissionAnswer: Codable, Equatable, Sendable {
    /// Which question: its id as text.
    public var question: String
    /// JSON, written the same way each time (sorted keys).
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
    /// How many batches there are; the submission is handed in when the last of them is here, in whatever order they come.
    public var of: Int
    public var answers: [SubmissionAnswer]

    public init(number: Int = 1, of: Int = 1, answers: [SubmissionAnswer]) {
        self.number = number
        self.of = of
        self.answers = answers
    }
}

/// What became of answers that were handed in.
public enum Submitted: Equatable, Sendable {
    /// They are here. `isWhole`: all batches are, and the submission waits to be graded.
    case accepted(attempt: UUID, isWhole: Bool)
    /// They were here already: the same attempt, and nothing was written.
    case repeated(attempt: UUID, isWhole: Bool)
    /// They contradict what is here, which stays as it is.
    case conflict(Conflict)
    /// This user has no such submission.
    case missing

    public enum Conflict: CaseIterable, Sendable {
        /// The batch, or a question of it, is here with another answer.
        case otherAnswers
        /// What is here counts its batches otherwise.
        case otherCount
        /// All is here, and was not this.
        case alreadySubmitted
        /// It is a practice test that was not begun, or is being written.
        case notInProgress
    }
}

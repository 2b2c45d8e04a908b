public import Foundation
import SystemSupport

/// A client's submission.
public struct QuizSubmissionRequest: Codable, Equatable, Sendable {
    /// In any order, each question once, at most 500 answers.
    public var answers: [ClientAnswerInput]
    /// The number of this request, if the answers come in several; nil if it contains all of them.
    public var batch: Batch?

    public struct Batch: Codable, Equatable, Sendable {
        /// The number, from 1.
        public var number: Int
        /// The number of all requests, 1 … 100.
        public var of: Int

        public init(number: Int, of: Int) {
            self.number = number
            self.of = of
        }
    }

    public init(answers: [ClientAnswerInput], batch: Batch? = nil) {
        self.answers = answers
        self.batch = batch
    }
}

/// An answer with its question.
public struct ClientAnswerInput: Codable, Equatable, Sendable {
    public var questionId: String
    public var answer: AnyAnswer

    public init(questionId: String, answer: AnyAnswer) {
        self.questionId = questionId
        self.answer = answer
    }
}

/// The server's response: the answers are stored, and will be graded later.
public struct QuizSubmissionResponse: Codable, Equatable, Sendable {
    /// The same id for every submission of the same answers.
    public var attemptId: UUID
    public var message: String

    public init(attemptId: UUID, message: String) {
        self.attemptId = attemptId
        self.message = message
    }

    private enum Key: String, CodingKey {
        case attemptId, message
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(LowercaseID(attemptId), forKey: .attemptId)
        try values.encode(message, forKey: .message)
    }
}

/// The body of `POST {base}/v1/submissions`, which opens a submission.
package struct NewSubmissionRow: Codable, Equatable, Sendable {
    /// An id that the client chose.
    package var id: WrittenID
    /// The template of the questions; nil for none.
    package var template: WrittenID?

    package init(id: UUID, template: UUID? = nil) {
        self.id = WrittenID(id)
        self.template = template.map { WrittenID($0) }
    }
}

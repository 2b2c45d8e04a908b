public import Foundation
import SystemSupport

/// What a client submits (U2).
public struct QuizSubmissionRequest: Codable, Equatable, Sendable {
    /// In any order, each question once; at most 500.
    public var answers: [ClientAnswerInput]
    /// Where the answers come in several requests: which of how many this is. nil: this is all.
    public var batch: Batch?

    public struct Batch: Codable, Equatable, Sendable {
        /// From 1.
        public var number: Int
        /// 1 … 100.
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

/// An answer with the question it belongs to.
public struct ClientAnswerInput: Codable, Equatable, Sendable {
    public var questionId: String
    public var answer: AnyAnswer

    public init(questionId: String, answer: AnyAnswer) {
        self.questionId = questionId
        self.answer = answer
    }
}

/// What the server says of it (U3): the answers are stored; they are graded later (U12).
public struct QuizSubmissionResponse: Codable, Equatable, Sendable {
    /// The same however often the same answers are submitted.
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

/// Opens a submission: the body of `POST {base}/v1/submissions`.
package struct NewSubmissionRow: Codable, Equatable, Sendable {
    /// The client's own choice.
    package var id: WrittenID
    /// The template that the questions belong to; nil: none.
    package var template: WrittenID?

    package init(id: UUID, template: UUID? = nil) {
        self.id = WrittenID(id)
        self.template = template.map { WrittenID($0) }
    }
}

public import ExamCore
public import Foundation
import SystemSupport

/// One thing that has to reach a backend: the beginning of a session, an answer, or the completion of the session.
/// Repeated deliveries have the effect of one.
///
/// Its id is made here, and is the same every time (`DeliveryID`), so that a backend can recognise a repetition.
public struct Upload: Codable, Equatable, Identifiable, Sendable {
    public let id: UUID
    /// The session that it belongs to.
    public var session: SessionFacts
    /// The content to deliver.
    public var content: Content

    /// The content of an upload.
    public enum Content: Codable, Equatable, Sendable {
        /// The beginning of the session.
        case session
        /// An answer and its sealed recording.
        case answer(AnswerRecord, UploadFile)
        /// The end of the exam, sent after all of its answers.
        case completion(CompletionFacts)
        /// A quiz that was handed in: the JSON body of its request. It belongs to no exam.
        case submission(String)
    }

    /// The stage of a session's upload. An upload is sent only after all earlier stages have arrived.
    public enum Stage: Int, Codable, Comparable, Sendable {
        /// In the order of delivery.
        case session, answer, completion, submission

        public static func < (a: Stage, b: Stage) -> Bool { a.rawValue < b.rawValue }
    }

    /// The stage of this upload.
    public var stage: Stage {
        switch content {
        case .session: .session
        case .answer: .answer
        case .completion: .completion
        case .submission: .submission
        }
    }

    /// The file to read and send; nil for other content than answers.
    public var file: UploadFile? {
        if case .answer(_, let file) = content { file } else { nil }
    }

    /// - Parameter id: An id from `DeliveryID`, the same every time for the same thing.
    public init(id: UUID, session: SessionFacts, content: Content) {
        self.id = id
        self.session = session
        self.content = content
    }

    /// Makes an upload that hands in a quiz. It is handed in once, even if this is added several times.
    ///
    /// - Parameters:
    ///   - body: The JSON body that the backend accepts.
    ///   - isOwn: Whether it is an application's own quiz, which the backend may not know yet, rather than a practice
    ///     test of the backend.
    public init(submitting body: String, of quiz: UUID, isOwn: Bool = false) {
        let format = isOwn ? Self.ownQuiz : "quiz"
        self.init(
            id: DeliveryID.make("submission", of: quiz),
            session: SessionFacts(id: quiz, name: "quiz-\(quiz.name)", format: format, paper: "", startedAt: ""),
            content: .submission(body))
    }

    private static let ownQuiz = "own-quiz"

    /// Whether it is a quiz that is opened at the backend if the backend doesn't know it.
    public var isOwnQuiz: Bool { session.format == Self.ownQuiz }
}

/// The facts about a session that a backend receives. They contain nothing about the person.
public struct SessionFacts: Codable, Equatable, Sendable {
    /// The random id of the session: `test_sessions.id`.
    public var id: UUID
    /// The name of its folder.
    public var name: String
    /// The format's id.
    public var format: String
    /// The paper's id, or the template's for a paper made from a backend's questions.
    public var paper: String
    /// ISO 8601 in UTC.
    public var startedAt: String

    /// The template of the questions. If there is one, the answers use its question ids. Nil for a local exam.
    public var template: UUID? { UUID(uuidString: paper) }

    public init(id: UUID, name: String, format: String, paper: String, startedAt: String) {
        self.id = id
        self.name = name
        self.format = format
        self.paper = paper
        self.startedAt = startedAt
    }
}

/// The facts that a backend receives when an exam is over.
public struct CompletionFacts: Codable, Equatable, Sendable {
    /// ISO 8601 in UTC.
    public var completedAt: String
    /// `completed`, `withdrawn` …; nil if the exam was left before its end.
    public var outcome: String?
    /// The number of answers in the session; several attempts at a question count once. Fewer arrive if the user
    /// dropped some.
    public var answers: Int
    /// The number of answers that had arrived when this was sent. The queue fills it in.
    public var delivered: Int

    /// - Parameters:
    ///   - completedAt: ISO 8601 in UTC.
    ///   - outcome: The end of the exam, as in the log.
    public init(completedAt: String, outcome: String?, answers: Int, delivered: Int = 0) {
        self.completedAt = completedAt
        self.outcome = outcome
        self.answers = answers
        self.delivered = delivered
    }
}

extension AnswerRecord {
    /// Returns the path at which backends store the recording: `responses/{session}_part{part}_q{order}.opus`, and
    /// `…_a2.opus` for a second attempt.
    public func objectPath(session: UUID, suffix: String) -> String {
        "responses/\(session.name)_\(name).\(suffix)"
    }
}

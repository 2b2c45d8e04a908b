public import ExamCore
public import Foundation
import SystemSupport

/// One thing that has to reach a backend, and has the effect of having reached it once: that a session began, an answer, or
/// that the session is complete.
///
/// Its id is made here and the same however often it is made again (`DeliveryID`), so a backend can tell a repetition.
public struct Upload: Codable, Equatable, Identifiable, Sendable {
    public let id: UUID
    /// Which session it is of.
    public var session: SessionFacts
    /// What is to be made true at the backend.
    public var content: Content

    /// What a backend is told.
    public enum Content: Codable, Equatable, Sendable {
        /// That the session began.
        case session
        /// An answer, and its sealed recording.
        case answer(AnswerRecord, UploadFile)
        /// That the exam is over: after all of its answers.
        case completion(CompletionFacts)
        /// A quiz that was handed in: the body of its request, JSON. It belongs to no exam.
        case submission(String)
    }

    /// What a session's uploads wait for: nothing of a later stage goes before all of the earlier ones arrived.
    public enum Stage: Int, Codable, Comparable, Sendable {
        /// In the order in which they go.
        case session, answer, completion, submission

        public static func < (a: Stage, b: Stage) -> Bool { a.rawValue < b.rawValue }
    }

    /// Which of them it is.
    public var stage: Stage {
        switch content {
        case .session: .session
        case .answer: .answer
        case .completion: .completion
        case .submission: .submission
        }
    }

    /// What is to be read from disk and sent; nil where the facts are all there is.
    public var file: UploadFile? {
        if case .answer(_, let file) = content { file } else { nil }
    }

    /// - Parameter id: of `DeliveryID`: the same for the same thing, however often it is made.
    public init(id: UUID, session: SessionFacts, content: Content) {
        self.id = id
        self.session = session
        self.content = content
    }

    /// A quiz that is handed in, once, however often this is added.
    ///
    /// - Parameters:
    ///   - body: as the backend takes it, JSON.
    ///   - isOwn: whether it is an application's own quiz, which the backend may not know yet, rather than a practice test of the backend's.
    public init(submitting body: String, of quiz: UUID, isOwn: Bool = false) {
        let format = isOwn ? Self.ownQuiz : "quiz"
        self.init(
            id: DeliveryID.make("submission", of: quiz),
            session: SessionFacts(id: quiz, name: "quiz-\(quiz.name)", format: format, paper: "", startedAt: ""),
            content: .submission(body))
    }

    private static let ownQuiz = "own-quiz"

    /// Whether it is a quiz that is opened at the backend when the backend does not know it.
    public var isOwnQuiz: Bool { session.format == Self.ownQuiz }
}

/// What a backend is told of a session. Nothing about the person.
public struct SessionFacts: Codable, Equatable, Sendable {
    /// The session's own, random: `test_sessions.id`.
    public var id: UUID
    /// The name of its folder.
    public var name: String
    /// The format's id.
    public var format: String
    /// The paper's id; of a paper that was made of a backend's questions the template's.
    public var paper: String
    /// ISO 8601 in UTC.
    public var startedAt: String

    /// The template whose questions were asked: then answers name its questions by their own ids. nil: an exam of this machine.
    public var template: UUID? { UUID(uuidString: paper) }

    public init(id: UUID, name: String, format: String, paper: String, startedAt: String) {
        self.id = id
        self.name = name
        self.format = format
        self.paper = paper
        self.startedAt = startedAt
    }
}

/// What a backend is told when an exam is over.
public struct CompletionFacts: Codable, Equatable, Sendable {
    /// ISO 8601 in UTC.
    public var completedAt: String
    /// `completed`, `withdrawn` …; nil where the exam was left.
    public var outcome: String?
    /// How many answers the session has, a question's attempts as one; fewer arrived where a person dropped some.
    public var answers: Int
    /// How many of them had arrived when this was sent: the queue's own count, filled in by it.
    public var delivered: Int

    /// - Parameters:
    ///   - completedAt: ISO 8601 in UTC.
    ///   - outcome: how the exam ended, as in the log.
    public init(completedAt: String, outcome: String?, answers: Int, delivered: Int = 0) {
        self.completedAt = completedAt
        self.outcome = outcome
        self.answers = answers
        self.delivered = delivered
    }
}

extension AnswerRecord {
    /// Where backends keep the recording: `responses/{session}_part{part}_q{order}.opus` (C2), and `…_a2.opus` for a second
    /// attempt.
    public func objectPath(session: UUID, suffix: String) -> String {
        "responses/\(session.name)_\(name).\(suffix)"
    }
}

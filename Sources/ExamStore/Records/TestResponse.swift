public import Assessment
public import ExamCore
public import Foundation

/// An answer (D5). Its id is its recording's, which is here before it.
///
/// `OwnedStore.put` writes what its `init` takes; the rest is what became of it, and the store's own.
@dynamicMemberLookup
public struct TestResponse: AnswerBearing, Codable, Equatable, Identifiable, Sendable {
    public var id: UUID
    public var session: UUID
    /// What is known of the answer beside its recording.
    public var record: AnswerRecord
    /// The question's id in its session's template, where it has one (D11): found by the store.
    public var questionID: UUID?
    /// Where its recording lies: the object's key, whatever a client calls it. Where the client keeps it, in what is to be written.
    public var path: String
    public var byteCount: Int
    /// Of the recording: 64 hexadecimal digits in lower case.
    public var sha256: String
    public var mediaType: String
    /// How loud the recording is over its length, 0 … 1, evenly spaced (B6); nil where nobody has measured it.
    public var peaks: [Double]?

    /// `pending`, `processing`, `completed` or `failed`.
    public var processing = "pending"
    /// By part and order, so that what was said first is done first; the store's own.
    public var processingOrder: Int?
    /// `uploaded`: without its recording an answer is none.
    public var uploadStatus = "uploaded"
    public var scores = Scores()
    public var transcript: String?
    public var mistakes: [Mistake]?
    public var wavPath: String?
    /// A scorer's whole answer: JSON.
    public var azureResponse: String?
    public var error: String?
    /// When its recording was stored; nil in what is to be written.
    public var uploadedAt: String?
    public var evaluatedAt: String?

    public init(
        id: UUID, session: UUID, record: AnswerRecord, questionID: UUID? = nil, path: String, byteCount: Int,
        sha256: String, mediaType: String
    ) {
        self.id = id
        self.session = session
        self.record = record
        self.questionID = questionID
        self.path = path
        self.byteCount = byteCount
        self.sha256 = sha256
        self.mediaType = mediaType
    }

    public subscript<Value>(dynamicMember fact: KeyPath<AnswerRecord, Value>) -> Value { record[keyPath: fact] }
}

/// The stored bytes of an answer: an object in a folder or a bucket. Without its answer it is no answer.
public struct Recording: Codable, Equatable, Identifiable, Sendable {
    /// The upload's: the answer will have the same.
    public var id: UUID
    public var session: UUID
    /// Where the object lies.
    public var key: String
    public var byteCount: Int
    /// 64 hexadecimal digits in lower case.
    public var sha256: String
    public var mediaType: String
    /// `2026-11-21T09:12:29Z`; the store's own, nil in what is to be written.
    public var storedAt: String?

    public init(id: UUID, session: UUID, key: String, byteCount: Int, sha256: String, mediaType: String) {
        self.id = id
        self.session = session
        self.key = key
        self.byteCount = byteCount
        self.sha256 = sha256
        self.mediaType = mediaType
    }
}

/// How much of the store one user takes.
public struct Usage: Codable, Equatable, Sendable {
    public var sessions: Int
    /// Begun since midnight, UTC, by the database's clock.
    public var sessionsToday: Int
    public var responses: Int
    /// Of all recordings.
    public var bytes: Int
    /// Of quizzes, open ones too.
    public var submissions: Int

    public init(sessions: Int, sessionsToday: Int, responses: Int, bytes: Int, submissions: Int = 0) {
        self.sessions = sessions
        self.sessionsToday = sessionsToday
        self.responses = responses
        self.bytes = bytes
        self.submissions = submissions
    }
}

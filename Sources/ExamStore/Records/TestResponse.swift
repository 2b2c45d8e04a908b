public import Assessment
public import ExamCore
public import Foundation

/// An answer. It has the same id as its recording, which is stored before it.
///
/// `OwnedStore.put` writes the values that the initializer takes. The store sets the others.
@dynamicMemberLookup
public struct TestResponse: AnswerBearing, Codable, Equatable, Identifiable, Sendable {
    public var id: UUID
    public var session: UUID
    /// The facts about the answer besides its recording.
    public var record: AnswerRecord
    /// The question's id in its session's template, if there is one. The store finds it.
    public var questionID: UUID?
    /// The key of the recording's object. In a value to be written it is the client's own path, which the store
    /// replaces.
    public var path: String
    public var byteCount: Int
    /// The SHA-256 of the recording: 64 hexadecimal digits in lower case.
    public var sha256: String
    public var mediaType: String
    /// The loudness of the recording over its length, 0 … 1, evenly spaced. Nil if it has not been measured.
    public var peaks: [Double]?

    /// `pending`, `processing`, `completed` or `failed`.
    public var processing = "pending"
    /// The order of processing by part and question, so that earlier answers are processed first. The store sets it.
    public var processingOrder: Int?
    /// Always `uploaded`: an answer is stored only after its recording.
    public var uploadStatus = "uploaded"
    public var scores = Scores()
    public var transcript: String?
    public var mistakes: [Mistake]?
    public var wavPath: String?
    /// A scorer's whole answer, as JSON.
    public var azureResponse: String?
    public var error: String?
    /// The time at which the recording was stored. Nil in a value to be written.
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

/// The stored bytes of an answer: an object in a folder or a bucket. It becomes an answer only together with its
/// record.
public struct Recording: Codable, Equatable, Identifiable, Sendable {
    /// The upload's id, which the answer will share.
    public var id: UUID
    public var session: UUID
    /// The key of the object.
    public var key: String
    public var byteCount: Int
    /// 64 hexadecimal digits in lower case.
    public var sha256: String
    public var mediaType: String
    /// `2026-11-21T09:12:29Z`. The store sets it. Nil in a value to be written.
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

/// The amounts that one user stores.
public struct Usage: Codable, Equatable, Sendable {
    public var sessions: Int
    /// The sessions begun since midnight UTC, by the database's clock.
    public var sessionsToday: Int
    public var responses: Int
    /// The bytes of all recordings.
    public var bytes: Int
    /// Submissions of quizzes, including open ones.
    public var submissions: Int

    public init(sessions: Int, sessionsToday: Int, responses: Int, bytes: Int, submissions: Int = 0) {
        self.sessions = sessions
        self.sessionsToday = sessionsToday
        self.responses = responses
        self.bytes = bytes
        self.submissions = submissions
    }
}

public import ExamCore
public import Foundation
import SystemSupport

/// An exam, held now or earlier.
///
/// `OwnedStore.put` writes the values that the initializer takes. The store sets the others.
public struct TestSession: Codable, Equatable, Identifiable, Sendable {
    public var id: UUID
    /// The name of the session's folder on the machine that held the exam.
    public var name: String
    /// The format's id.
    public var format: String
    /// The paper's id.
    public var paper: String
    public var templateID: UUID?
    /// The mode. Nil if it was not stated.
    public var mode: ExamOptions.Mode?
    /// A time in UTC, such as `2026-11-21T09:12:29Z`.
    public var startedAt: String
    /// The number of answers that the exam asks for, if known in advance. Otherwise the number announced at completion.
    public var expectedResponses: Int?
    /// The party that held it. Set when the session is created, and never changed.
    public var held = HeldBy.client

    public var status = SessionStatus.inProgress
    public var completedAt: String?
    /// The exam's ending: `completed`, `withdrawn` …
    public var outcome: String?
    /// The number of answers announced at completion. Nil before that.
    public var announcedResponses: Int?
    /// The number of questions with a stored answer.
    public var completedResponses = 0
    /// The number of stored answers. It is larger if a question was answered twice.
    public var storedResponses = 0
    /// Whether as many answers as announced are stored.
    public var allResponsesUploaded = false
    /// The overall band. Nil until there is one. It is never derived from another score.
    public var overallBand: Double?
    public var scores = Scores()
    /// Whether a machine's mark of the session waits for a person.
    public var isHeld = false
    /// The seal's hash; nil until the exam is sealed.
    public var seal: String?
    public var sealedAt: String?
    /// The seal on which the bands are based; nil if there are no bands, or if they were computed before the seal.
    public var evidence: String?

    public init(
        id: UUID, name: String, format: String, paper: String, templateID: UUID? = nil,
        mode: ExamOptions.Mode? = nil, startedAt: String, expectedResponses: Int? = nil, held: HeldBy = .client
    ) {
        self.held = held
        self.id = id
        self.name = name
        self.format = format
        self.paper = paper
        self.templateID = templateID
        self.mode = mode
        self.startedAt = startedAt
        self.expectedResponses = expectedResponses
    }
}

/// The facts of a session's completion.
public struct Completion: Codable, Equatable, Identifiable, Sendable {
    /// The id of the completion, the same however often it is sent.
    public var id: UUID
    /// A time in UTC, such as `2026-11-21T09:12:29Z`.
    public var completedAt: String
    /// `completed`, `withdrawn` … Nil if the candidate left the exam.
    public var outcome: String?
    /// The number of answers that the session has. Fewer are stored if some were dropped by a person or are still being
    /// uploaded.
    public var answers: Int

    public init(id: UUID, completedAt: String, outcome: String?, answers: Int) {
        self.id = id
        self.completedAt = completedAt
        self.outcome = outcome
        self.answers = answers
    }
}

/// The end of a page of sessions, newest first. Clients get its text and send it back.
public struct PageCursor: Codable, Equatable, LosslessStringConvertible, Sendable {
    var startedAt: String
    var id: UUID

    public init(after session: TestSession) {
        startedAt = session.startedAt
        id = session.id
    }

    /// Reads a cursor. Nil if the text did not come from `description`.
    public init?(_ description: String) {
        let parts = description.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, let moment = try? UTCTime(String(parts[0])), let id = UUID(uuidString: String(parts[1]))
        else { return nil }
        startedAt = moment.text
        self.id = id
    }

    /// Letters, digits, `:`, `-` and `_` only.
    public var description: String { "\(startedAt)_\(id.name)" }
}

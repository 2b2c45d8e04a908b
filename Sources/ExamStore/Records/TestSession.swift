public import ExamCore
public import Foundation
import SystemSupport

/// An exam that is being held or was (D4).
///
/// `OwnedStore.put` writes what its `init` takes; the rest is what became of it, and the store's own.
public struct TestSession: Codable, Equatable, Identifiable, Sendable {
    public var id: UUID
    /// The name of its folder where it was held.
    public var name: String
    /// The format's id.
    public var format: String
    /// The paper's id.
    public var paper: String
    public var templateID: UUID?
    /// nil where whoever held it did not say.
    public var mode: ExamOptions.Mode?
    /// `2026-11-21T09:12:29Z`.
    public var startedAt: String
    /// How many answers the exam asks for, where that is known beforehand; else what its completion announced.
    public var expectedResponses: Int?
    /// Who held it; said when it is made, and never changed.
    public var held = HeldBy.client

    public var status = SessionStatus.inProgress
    public var completedAt: String?
    /// How the exam ended: `completed`, `withdrawn` …
    public var outcome: String?
    /// How many answers its completion announced; nil until then.
    public var announcedResponses: Int?
    /// How many questions have an answer here.
    public var completedResponses = 0
    /// How many answers are here: more where a question was answered twice.
    public var storedResponses = 0
    /// As many as were announced are here.
    public var allResponsesUploaded = false
    /// Bands; nil until one is given. Never filled from another.
    public var overallBand: Double?
    public var scores = Scores()
    /// Whether a machine's mark of it waits for a person.
    public var isHeld = false
    /// The seal's hash; nil until the exam is sealed.
    public var seal: String?
    public var sealedAt: String?
    /// The seal that the bands rest on; nil if they were made before it, or there are none.
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

/// What a session's completion says.
public struct Completion: Codable, Equatable, Identifiable, Sendable {
    /// The completion's own, the same however often it is sent.
    public var id: UUID
    /// `2026-11-21T09:12:29Z`.
    public var completedAt: String
    /// `completed`, `withdrawn` …; nil where the exam was left.
    public var outcome: String?
    /// How many answers the session has. Fewer are here where a person dropped some, or some are still on their way.
    public var answers: Int

    public init(id: UUID, completedAt: String, outcome: String?, answers: Int) {
        self.id = id
        self.completedAt = completedAt
        self.outcome = outcome
        self.answers = answers
    }
}

/// Where a page of sessions ends, newest first; its text goes through a client and back.
public struct PageCursor: Codable, Equatable, LosslessStringConvertible, Sendable {
    var startedAt: String
    var id: UUID

    public init(after session: TestSession) {
        startedAt = session.startedAt
        id = session.id
    }

    /// nil where the text is none that `description` gave.
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

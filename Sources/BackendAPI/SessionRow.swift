package import Foundation

/// The facts about a session that a backend receives. They contain nothing about the person.
package struct SessionRow: Codable, Equatable, Sendable {
    package var id: WrittenID
    /// The name of the session's folder on the client.
    package var name: String
    package var format: String
    package var paper: String
    /// ISO 8601 in UTC.
    package var startedAt: String

    package init(id: UUID, name: String, format: String, paper: String, startedAt: String) {
        self.id = WrittenID(id)
        self.name = name
        self.format = format
        self.paper = paper
        self.startedAt = startedAt
    }
}

/// The facts that a backend receives when an exam is over.
package struct CompletionRow: Codable, Equatable, Sendable {
    package var id: WrittenID
    package var session: WrittenID
    /// ISO 8601 in UTC.
    package var completedAt: String
    /// `completed`, `withdrawn` …; nil if the exam was left before its end.
    package var outcome: String?
    /// The number of answers in the session. Fewer arrive if the user dropped some.
    package var answers: Int
    /// The number of answers that had arrived when this was sent.
    package var delivered: Int

    package init(
        id: UUID, session: UUID, completedAt: String, outcome: String?, answers: Int, delivered: Int
    ) {
        self.id = WrittenID(id)
        self.session = WrittenID(session)
        self.completedAt = completedAt
        self.outcome = outcome
        self.answers = answers
        self.delivered = delivered
    }
}

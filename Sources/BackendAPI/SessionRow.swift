package import Foundation

/// What a backend is told of a session. Nothing about the person.
package struct SessionRow: Codable, Equatable, Sendable {
    package var id: WrittenID
    /// The name of its folder where it was held.
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

/// What a backend is told when an exam is over.
package struct CompletionRow: Codable, Equatable, Sendable {
    package var id: WrittenID
    package var session: WrittenID
    /// ISO 8601 in UTC.
    package var completedAt: String
    /// `completed`, `withdrawn` …; nil where the exam was left.
    package var outcome: String?
    /// How many answers the session has; fewer arrived where a person dropped some.
    package var answers: Int
    /// How many of them had arrived when this was sent.
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

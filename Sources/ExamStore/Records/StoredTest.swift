public import Foundation

/// A user's practice test. The test itself is JSON of whoever makes tests.
public struct StoredTest: Equatable, Sendable, Identifiable {
    public enum State: String, CaseIterable, Sendable { case generating, ready, inProgress, failed, submitted, graded }

    public let id: UUID
    public var state: State
    /// Whether a model writes it.
    public var isByModel: Bool
    public var document: String
    /// Seconds east of UTC of its learner's clock, when it was handed in.
    public var offset: Int
    /// `2026-11-21T09:12:29Z`; nil before it is kept.
    public var createdAt: String?

    public init(id: UUID, state: State, isByModel: Bool = false, document: String, offset: Int = 0) {
        self.id = id
        self.state = state
        self.isByModel = isByModel
        self.document = document
        self.offset = offset
    }

    static let columns = "id, state, by_model, document, utc_offset, created_at"

    init(_ row: SQLRow) throws(StoreError) {
        let word: String = try row.value("state")
        guard let state = State(rawValue: word) else {
            throw StoreError(.unusable, "column state of the database holds something else")
        }
        self.init(
            id: try row.value("id"), state: state, isByModel: try row.value("by_model"),
            document: try row.value("document"), offset: try row.value("utc_offset"))
        createdAt = try row.value("created_at")
    }
}

/// A test that a worker has claimed, to be written or graded: its own until the lease ends.
public struct TestClaim: Sendable {
    public var test: StoredTest
    public var user: UUID
    var worker: UUID
}

/// What keeps a user from another practice test.
public enum TestRefusal: Sendable {
    /// As many are kept as may be.
    case tests
    /// As many were written by a model today as may be.
    case written
}

/// A line of a user's practice log.
public struct NumberedLine: Equatable, Sendable {
    /// From 1, without gaps.
    public var number: Int
    public var text: String

    public init(number: Int, text: String) {
        self.number = number
        self.text = text
    }
}

/// A task that a client of the item bank keeps for its user.
public struct StoredTask: Equatable, Sendable, Identifiable {
    public var id: UUID
    public var title: String
    /// As its client wrote it.
    public var due: String
    public var isComplete: Bool

    public init(id: UUID, title: String, due: String, isComplete: Bool) {
        self.id = id
        self.title = title
        self.due = due
        self.isComplete = isComplete
    }

    static let columns = "id, title, due, is_complete"

    init(_ row: SQLRow) throws(StoreError) {
        self.init(
            id: try row.value("id"), title: try row.value("title"), due: try row.value("due"),
            isComplete: try row.value("is_complete"))
    }
}

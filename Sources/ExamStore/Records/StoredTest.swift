public import Foundation

/// A user's practice test. The test itself is JSON whose contents the store does not read.
public struct StoredTest: Equatable, Sendable, Identifiable {
    public enum State: String, CaseIterable, Sendable { case generating, ready, inProgress, failed, submitted, graded }

    public let id: UUID
    public var state: State
    /// Whether a model writes it.
    public var isByModel: Bool
    public var document: String
    /// The offset of the learner's clock when the test was handed in, in seconds east of UTC.
    public var offset: Int
    /// `2026-11-21T09:12:29Z`. Nil before it is stored.
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

/// A worker's claim to write or grade a test. It belongs to the worker until the lease ends.
public struct TestClaim: Sendable {
    public var test: StoredTest
    public var user: UUID
    var worker: UUID
}

/// The limit that prevents another practice test.
public enum TestRefusal: Sendable {
    /// The maximum number of tests is stored.
    case tests
    /// A model has written the maximum number of tests today.
    case written
}

/// A line of a user's practice log.
public struct NumberedLine: Equatable, Sendable {
    /// The number of the line, from 1 on without gaps.
    public var number: Int
    public var text: String

    public init(number: Int, text: String) {
        self.number = number
        self.text = text
    }
}

/// A task that a client of the item bank stores for its user.
public struct StoredTask: Equatable, Sendable, Identifiable {
    public var id: UUID
    public var title: String
    /// The date in the client's own form.
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

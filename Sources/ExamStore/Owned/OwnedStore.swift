public import Foundation

/// What one user may do: sees, changes and makes rows of that user's and nothing else, whatever ids are named. What is another
/// user's is, from here, not there. One that somebody else reads (`ServiceStore.reading`) changes nothing.
///
/// Every statement asks for the owner; on PostgreSQL row-level security asks again. All calls throw `StoreError`: `unavailable`
/// (again later), `invalid` (a value that cannot be kept), `conflict` where the call says so.
public struct OwnedStore: Sendable {
    public let user: UUID
    /// What is asked for when a session is over.
    let wishes: Wishes
    let database: any SQLDatabase
    /// Who reads it, where that is not the user.
    var reader: Reader?
    /// Who writes it: the user's own client, or the server that holds their exam.
    var writer = HeldBy.client
    /// Whether they are read by another than their owner.
    package var isReadOnly: Bool { reader != nil }

    /// What is asked for when a session is over.
    struct Wishes: Sendable {
        /// The version of the assessor that it is queued for.
        var assessor: String
        /// How many people are to mark it.
        var markers = 0
        var endpoints: EventEndpoints = [:]
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        try await database.transaction(.read, as: reader.map(Identity.reader) ?? .user(user), body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        precondition(reader == nil, "what is another's is read only")
        return try await database.transaction(.write, as: writer == .server ? .service : .user(user), body)
    }

    /// The same user's rows, written by the server that holds the exam: all that changes an exam of `HeldBy.server` goes this way.
    public var heldHere: OwnedStore {
        var store = self
        store.writer = .server
        return store
    }

    /// Refuses to change a session that is sealed, or that is not this writer's to change.
    ///
    /// - Parameter row: of `test_sessions`, with `held` and `seal`.
    /// - Throws: `StoreError`: `sealed`, `heldHere`.
    func admitChange(_ row: SQLRow) throws(StoreError) {
        if let _: String = try row.optional("seal") { throw StoreError(.sealed, "the exam is sealed") }
        guard try HeldBy(row) == writer || writer == .server else {
            throw StoreError(.heldHere, "the server holds this exam, and its client changes nothing of it")
        }
    }

    // MARK: Templates

    /// Those that are offered, by title.
    public func templates() async throws(StoreError) -> [TestTemplate] {
        try await read { connection in
            try connection.rows("SELECT \(TestTemplate.columns) FROM test_templates WHERE is_active ORDER BY title, id")
                .map(TestTemplate.init)
        }
    }

    /// nil where there is none; one that is no longer offered is still there.
    public func template(_ id: UUID) async throws(StoreError) -> TestTemplate? {
        try await read { connection in
            try connection.first("SELECT \(TestTemplate.columns) FROM test_templates WHERE id = ?", [id])
                .map(TestTemplate.init)
        }
    }

    /// By part and order; none where there is no such template.
    public func questions(of template: UUID) async throws(StoreError) -> [TestQuestion] {
        try await read { connection in
            try connection.rows(
                """
                SELECT \(TestQuestion.columns) FROM questions WHERE test_template_id = ?
                ORDER BY part_number, question_order
                """, [template]
            ).map(TestQuestion.init)
        }
    }

    // MARK: Usage

    /// How much of the store this user takes: what quotas are compared with.
    public func usage() async throws(StoreError) -> Usage {
        let user = user
        return try await read { connection in try connection.usage(of: user) }
    }
}

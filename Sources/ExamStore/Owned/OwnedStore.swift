public import Foundation

/// The operations of one user. They read, change and create only that user's rows, regardless of the ids given: other
/// users' rows do not exist here. If another person reads the rows (`ServiceStore.reading`), nothing can be changed.
///
/// Every statement checks the owner. On PostgreSQL, row-level security checks again. All calls throw `StoreError`:
/// `unavailable` (try again later), `invalid` (a value that cannot be stored), `conflict` if the call documents it.
public struct OwnedStore: Sendable {
    public let user: UUID
    /// The requests made when a session ends.
    let wishes: Wishes
    let database: any SQLDatabase
    /// The person who reads the rows, if that is not their owner.
    var reader: Reader?
    /// The writer: the user's own client, or the server that holds their exam.
    var writer = HeldBy.client
    /// Whether a person or service other than the owner reads the rows.
    package var isReadOnly: Bool { reader != nil }

    /// The requests made when a session ends.
    struct Wishes: Sendable {
        /// The version of the assessor for which the session is queued.
        var assessor: String
        /// The number of people who have to mark the session.
        var markers = 0
        /// Whether to hear the words of an answer during its exam.
        var hears = false
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
        precondition(reader == nil, "a reader cannot change another user's data")
        return try await database.transaction(.write, as: writer == .server ? .service : .user(user), body)
    }

    /// The same user's rows, written by the server that holds the exam. Every change of an exam of `HeldBy.server` uses
    /// it.
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

    /// Returns the templates on offer, ordered by title.
    public func templates() async throws(StoreError) -> [TestTemplate] {
        try await read { connection in
            try connection.rows("SELECT \(TestTemplate.columns) FROM test_templates WHERE is_active ORDER BY title, id")
                .map(TestTemplate.init)
        }
    }

    /// Returns a template, even if it is no longer on offer. Nil if the id is unknown.
    public func template(_ id: UUID) async throws(StoreError) -> TestTemplate? {
        try await read { connection in
            try connection.first("SELECT \(TestTemplate.columns) FROM test_templates WHERE id = ?", [id])
                .map(TestTemplate.init)
        }
    }

    /// Returns a template's questions by part and order. Empty if there is no such template.
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

    /// Returns the amounts that this user stores, to be compared with quotas.
    ///
    /// - Parameter counted: the papers of the sessions that count as today's.
    public func usage(counting counted: PaperFilter = .all) async throws(StoreError) -> Usage {
        let user = user
        return try await read { connection in try connection.usage(of: user, counting: counted) }
    }
}

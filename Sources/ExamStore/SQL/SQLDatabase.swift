import Foundation

/// The database of a store. One set of SQL serves both databases. `Dialect` contains the differences.
protocol SQLDatabase: Sendable {
    /// Runs one transaction. When the call returns, all of its changes are on disk, or none.
    ///
    /// - Parameters:
    ///   - identity: the user or role of the transaction. Row-level security uses it, if the database has that.
    ///   - body: runs on a thread that may block. It must have no other effects, because it may run again.
    func transaction<Value: Sendable>(
        _ access: Access, as identity: Identity, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value

    /// Delivers announcements from now on, on any thread. A second call changes nothing.
    func listen(_ heard: @escaping @Sendable (News) -> Void)

    /// Closes the database when the calls in progress have ended. Nothing may be called afterwards.
    func close() async
}

enum Access: Sendable { case read, write }

/// Announcements of transactions.
enum News: Hashable, Sendable {
    /// There may be jobs to claim.
    case jobs
    /// A change in a session.
    case session(UUID)
    /// Anything may have happened while the listener was disconnected.
    case anything
}

/// The identity under which a transaction runs.
enum Identity: Sendable {
    case user(UUID)
    /// A person or service that reads another user's data. Such a transaction cannot write.
    case reader(Reader)
    /// The server itself: workers, leases, templates, metrics.
    case service
}

/// An open transaction. It belongs to one thread and must not be kept.
protocol SQLConnection {
    /// Runs a query.
    ///
    /// - Parameters:
    ///   - sql: one statement with `?` for each value, and the words of `Dialect` in braces.
    ///   - values: never part of the SQL. Nil is NULL.
    func rows(_ sql: String, _ values: [(any SQLParameter)?]) throws(StoreError) -> [SQLRow]

    /// Runs a change.
    ///
    /// - Returns: the number of rows changed.
    @discardableResult
    func change(_ sql: String, _ values: [(any SQLParameter)?]) throws(StoreError) -> Int

    /// Wakes listeners on all nodes when this transaction is committed.
    func announce(_ news: News) throws(StoreError)
}

extension SQLConnection {
    func announceJobs() throws(StoreError) { try announce(.jobs) }
    func announce(_ session: UUID) throws(StoreError) { try announce(.session(session)) }

    func rows(_ sql: String) throws(StoreError) -> [SQLRow] { try rows(sql, []) }

    @discardableResult
    func change(_ sql: String) throws(StoreError) -> Int { try change(sql, []) }

    func first(_ sql: String, _ values: [(any SQLParameter)?] = []) throws(StoreError) -> SQLRow? {
        try rows(sql, values).first
    }
}

extension StoreError {
    /// Converts an error thrown by a transaction's body.
    init(thrown error: any Error) {
        self = error as? StoreError ?? StoreError(.unusable, "something unforeseen: \(type(of: error))")
    }
}

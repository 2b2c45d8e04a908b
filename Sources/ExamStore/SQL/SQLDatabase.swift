import Foundation

/// A database that a store lives in. One set of SQL is written for both; `Dialect` says where they differ.
protocol SQLDatabase: Sendable {
    /// Does something in one transaction: all of it or nothing, on disk when it returns.
    ///
    /// - Parameters:
    ///   - identity: for whom; row-level security goes by it where the database has any.
    ///   - body: is run on a thread that may block, again where the database asks for it: it must have no effects elsewhere.
    func transaction<Value: Sendable>(
        _ access: Access, as identity: Identity, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value

    /// Tells, from now on, what was announced, on any thread. A second call changes nothing.
    func listen(_ heard: @escaping @Sendable (News) -> Void)

    /// Lets go of it, once what is under way has ended; nothing may be asked afterwards.
    func close() async
}

enum Access: Sendable { case read, write }

/// What transactions announce.
enum News: Hashable, Sendable {
    /// There may be jobs to claim.
    case jobs
    /// Something of a session changed.
    case session(UUID)
    /// Anything may have happened: whoever listens was away.
    case anything
}

/// For whom a transaction is.
enum Identity: Sendable {
    case user(UUID)
    /// Somebody who reads what is another's. Nothing can be written so.
    case reader(Reader)
    /// The server's own work: workers, leases, templates, metrics.
    case service
}

/// An open transaction. Belongs to one thread; never kept.
protocol SQLConnection {
    /// - Parameters:
    ///   - sql: one statement with `?` for each value, and the words of `Dialect` in braces.
    ///   - values: never part of the SQL; nil is NULL.
    func rows(_ sql: String, _ values: [(any SQLParameter)?]) throws(StoreError) -> [SQLRow]

    /// - Returns: how many rows it changed.
    @discardableResult
    func change(_ sql: String, _ values: [(any SQLParameter)?]) throws(StoreError) -> Int

    /// Wakes those who wait for it, of all nodes, when this transaction is committed.
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
    /// What a transaction's body threw.
    init(thrown error: any Error) {
        self = error as? StoreError ?? StoreError(.unusable, "something unforeseen: \(type(of: error))")
    }
}

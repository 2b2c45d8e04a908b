public import Foundation
import Synchronization

/// Everything that a speaking backend stores except the sound: sessions, answers, work to be done, and who owns which
/// rows.
///
/// ```swift
/// let database = try ExamDatabase.sqlite(path: "/var/lib/exams/oracy.sqlite")  // Or .postgres("postgresql://…").
/// try await database.migrate()
/// let theirs = database.owned(by: user)  // One user's rows only.
/// ```
///
/// The store is one SQLite file or a PostgreSQL database, with the same tables and the same SQL. Every call is one
/// transaction: when it returns, all of its changes are on disk, or none. If the connection broke at the last moment, a
/// call that throws `unavailable` may still have been carried out. Every write can be repeated, and counts once. Use it
/// from any task. No call blocks its thread.
public final class ExamDatabase: Sendable {
    let database: any SQLDatabase
    let dialect: Dialect
    let wakeUps: WakeUps
    private let endpoints = Mutex<EventEndpoints>([:])

    private init(_ database: any SQLDatabase, _ dialect: Dialect) {
        self.database = database
        self.dialect = dialect
        wakeUps = WakeUps()
    }

    /// Opens a store in one file. If there is no file, it is created and only its owner can read it.
    ///
    /// It is meant for one process at a time. Other processes may read and write, too, and wait for each other for up
    /// to ten seconds.
    ///
    /// - Throws: `unavailable` if the file cannot be created or opened, `unusable` if it is damaged or not a database.
    public static func sqlite(path: String) throws(StoreError) -> ExamDatabase {
        try sqlite(path: path, patience: 10)
    }

    static func sqlite(path: String, patience: Double) throws(StoreError) -> ExamDatabase {
        ExamDatabase(try SQLiteDatabase(path: path, patience: patience), .sqlite)
    }

    /// Opens a store in PostgreSQL 13 or later, for any number of nodes.
    ///
    /// This does not contact the server yet. The server may start later than this process, and may restart at any time.
    ///
    /// - Parameters:
    ///   - url: `postgresql://user:password@host:port/database?sslmode=verify-full`, or any other form that libpq
    ///     accepts. The role must be an ordinary one that owns its tables. Superusers bypass row-level security and are
    ///     refused. A connection pool in front of the server must keep sessions together (PgBouncer's session mode).
    ///   - connections: the maximum number of this process's connections, not counting one that listens. Further calls
    ///     wait their turn.
    /// - Throws: `unusable` if the address is invalid. Errors never contain a password.
    public static func postgres(_ url: String, connections: Int = 8) throws(StoreError) -> ExamDatabase {
        try postgres(url, connections: connections, patience: PostgresPatience())
    }

    static func postgres(
        _ url: String, connections: Int, patience: PostgresPatience
    ) throws(StoreError) -> ExamDatabase {
        ExamDatabase(try PostgresDatabase(url, connections: connections, patience: patience), .postgres)
    }

    /// Creates the tables, or migrates them to this version. Two nodes may call it at the same time. Call it once
    /// before anything else.
    ///
    /// - Throws: `unusable` if a newer version made the database. Then nothing is changed.
    public func migrate() async throws(StoreError) {
        try await database.migrate(Migration.all, dialect: dialect)
    }

    /// Returns when the database has answered.
    public func ping() async throws(StoreError) {
        _ = try await database.transaction(.read, as: .service) { try $0.rows("SELECT 1") }
    }

    /// Closes the database when the calls in progress have ended. Streams of `wakeUps` end, and later calls throw
    /// `unavailable`.
    public func close() async {
        wakeUps.close()
        await database.close()
    }

    /// Returns the operations of one user.
    ///
    /// - Parameters:
    ///   - assessor: the version of the assessors. A session that ends is queued for them.
    ///   - markers: the number of people who must mark a session that ends.
    ///   - hears: whether each answer that is stored before its exam's end is queued for hearing its words (`JobKind`).
    public func owned(
        by user: UUID, assessor: String = "none", markers: Int = 0, hears: Bool = false
    ) -> OwnedStore {
        OwnedStore(
            user: user,
            wishes: .init(assessor: assessor, markers: markers, hears: hears, endpoints: endpoints.withLock { $0 }),
            database: database)
    }

    /// The number of streams of wake-ups in use.
    package var streamCount: Int { wakeUps.count }

    /// The operations of the server itself.
    public var service: ServiceStore {
        ServiceStore(database: database, wakes: wakeUps, endpoints: endpoints.withLock { $0 })
    }

    /// Sets the endpoints for which events of sessions are queued from now on.
    public func tellEvents(to endpoints: EventEndpoints) { self.endpoints.withLock { $0 = endpoints } }
}

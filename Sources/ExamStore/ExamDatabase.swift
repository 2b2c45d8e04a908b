public import Foundation
import Synchronization

/// Everything that a speaking backend keeps, bar the sound: sessions, answers, what is to be done with them, who owns what.
///
/// ```swift
/// let database = try ExamDatabase.sqlite(path: "/var/lib/exams/oracy.sqlite")  // Or .postgres("postgresql://…").
/// try await database.migrate()
/// let theirs = database.owned(by: user)  // One user's rows, and nobody else's.
/// ```
///
/// In one file (SQLite) or in PostgreSQL, with the same tables and the same SQL. Every call is one transaction: it is on disk
/// when the call returns, or nothing is. A call that throws `unavailable` may have been carried out all the same when the
/// connection broke in its last moment; every write can be repeated, and then was done once. May be used from any task; no call
/// blocks the thread it was made on.
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

    /// A store in one file, which is made if it is not there, readable for its owner only.
    ///
    /// One process at a time does well; others may read and write, and wait up to ten seconds for each other.
    ///
    /// - Throws: `unavailable` where the file cannot be made or opened, `unusable` where it is damaged or no database.
    public static func sqlite(path: String) throws(StoreError) -> ExamDatabase {
        try sqlite(path: path, patience: 10)
    }

    static func sqlite(path: String, patience: Double) throws(StoreError) -> ExamDatabase {
        ExamDatabase(try SQLiteDatabase(path: path, patience: patience), .sqlite)
    }

    /// A store in PostgreSQL 13 or later, for any number of nodes.
    ///
    /// Nothing is asked of the server yet: it may come later than this process, and go away and come back.
    ///
    /// - Parameters:
    ///   - url: `postgresql://user:password@host:port/database?sslmode=verify-full`, or whatever else libpq takes. The role has
    ///     to be an ordinary one that owns its tables: superusers pass over row-level security, and are refused. A pool in
    ///     front of the server has to keep sessions together (PgBouncer's session mode).
    ///   - connections: how many this process has at most, and one more that listens. More at once wait their turn.
    /// - Throws: `unusable` where the address is none. No password is in any error.
    public static func postgres(_ url: String, connections: Int = 8) throws(StoreError) -> ExamDatabase {
        try postgres(url, connections: connections, patience: PostgresPatience())
    }

    static func postgres(
        _ url: String, connections: Int, patience: PostgresPatience
    ) throws(StoreError) -> ExamDatabase {
        ExamDatabase(try PostgresDatabase(url, connections: connections, patience: patience), .postgres)
    }

    /// Makes the tables, or brings them to today's; two nodes may try at once. To be called once, before anything else.
    ///
    /// - Throws: `unusable` where a newer version made the database; nothing was touched then.
    public func migrate() async throws(StoreError) {
        try await database.migrate(Migration.all, dialect: dialect)
    }

    /// Returns when the database has answered.
    public func ping() async throws(StoreError) {
        _ = try await database.transaction(.read, as: .service) { try $0.rows("SELECT 1") }
    }

    /// Lets go of the database when what is under way has ended; streams of `wakeUps` end. Later calls throw `unavailable`.
    public func close() async {
        wakeUps.close()
        await database.close()
    }

    /// What a user may do.
    ///
    /// - Parameters:
    ///   - assessor: the version of the assessor that sessions are queued for when they are over.
    ///   - markers: how many people are to mark them.
    public func owned(by user: UUID, assessor: String = "none", markers: Int = 0) -> OwnedStore {
        OwnedStore(
            user: user,
            wishes: .init(assessor: assessor, markers: markers, endpoints: endpoints.withLock { $0 }),
            database: database)
    }

    /// How many streams of wake-ups somebody listens to.
    package var streamCount: Int { wakeUps.count }

    /// The server's own work.
    public var service: ServiceStore {
        ServiceStore(database: database, wakes: wakeUps, endpoints: endpoints.withLock { $0 })
    }

    /// Has events of sessions queued for endpoints, from now on.
    public func tellEvents(to endpoints: EventEndpoints) { self.endpoints.withLock { $0 = endpoints } }
}

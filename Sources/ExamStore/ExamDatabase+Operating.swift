package import Foundation

/// Operators' questions about the store.
extension ExamDatabase {
    /// Returns the number of migration steps that the database has done (0 without tables), and the number that this
    /// program knows.
    ///
    /// - Throws: `unavailable`, or `unusable` if the file is not a database.
    public func steps() async throws(StoreError) -> (done: Int, known: Int) {
        let find =
            dialect == .sqlite
            ? "SELECT name FROM sqlite_master WHERE name = 'oracy_migrations'"
            : "SELECT 1 AS name WHERE to_regclass('oracy_migrations') IS NOT NULL"
        let done = try await database.transaction(.read, as: .service) { connection -> Int in
            guard try connection.first(find) != nil else { return 0 }
            return try connection.first("SELECT coalesce(max(number), 0) AS number FROM oracy_migrations")!
                .value("number")
        }
        return (done, Self.knownSteps)
    }

    /// The number of migration steps that this program knows.
    public static var knownSteps: Int { Migration.all.last?.number ?? 0 }

    /// Returns the seconds since 1970 by the database's clock, on which leases are based.
    public func clock() async throws(StoreError) -> Double {
        try await database.transaction(.read, as: .service) {
            try $0.first("SELECT {seconds} AS seconds")!.value("seconds")
        }
    }

    /// Writes a copy of a whole SQLite store to another file, as it was at one moment, while others continue to read
    /// and write.
    ///
    /// - Parameter path: the copy's path. An existing file is replaced. Only its owner can read the copy.
    /// - Throws: `unusable` for PostgreSQL, which has `pg_dump`, `unavailable` if the file cannot be written.
    public func backUp(to path: String) async throws(StoreError) {
        guard let sqlite = database as? SQLiteDatabase else {
            throw StoreError(.unusable, "PostgreSQL is backed up with pg_dump")
        }
        try await sqlite.backUp(to: path)
    }

    /// Checks a whole SQLite store for damage.
    ///
    /// - Throws: `unusable` if it is damaged.
    public func checkIntegrity() async throws(StoreError) {
        guard dialect == .sqlite else { return }
        let said: String = try await database.transaction(.read, as: .service) {
            try $0.first("PRAGMA integrity_check(1)")?.value("integrity_check") ?? ""
        }
        guard said == "ok" else { throw StoreError(.unusable, "SQLite: the file is damaged: \(said)") }
    }
}

extension ServiceStore {
    /// Returns the ids under which sound may be in storage: all sessions with their users, and the users with a
    /// profile, whose pictures are in storage too.
    package func holders() async throws(StoreError) -> (sessions: [(session: UUID, user: UUID)], profiles: [UUID]) {
        try await read { connection in
            let sessions = try connection.rows("SELECT id, user_id FROM test_sessions ORDER BY user_id, id")
                .map { (session: try $0.value("id") as UUID, user: try $0.value("user_id") as UUID) }
            let profiles = try connection.rows("SELECT id FROM profiles WHERE avatar_url IS NOT NULL ORDER BY id")
                .map { try $0.value("id") as UUID }
            return (sessions, profiles)
        }
    }

    /// Whether a row refers to this object as a complete recording.
    package func isRecording(key: String) async throws(StoreError) -> Bool {
        try await read { connection in
            try connection.first("SELECT 1 FROM recordings WHERE object_key = ?", [key]) != nil
        }
    }

    /// All objects that rows refer to as complete recordings: SHA-256 and media type by key.
    package func recordingKeys() async throws(StoreError) -> [String: (sha256: String, mediaType: String)] {
        try await read { connection in
            var keys: [String: (sha256: String, mediaType: String)] = [:]
            for row in try connection.rows("SELECT object_key, sha256, media_type FROM recordings") {
                keys[try row.value("object_key")] = (try row.value("sha256"), try row.value("media_type"))
            }
            return keys
        }
    }
}

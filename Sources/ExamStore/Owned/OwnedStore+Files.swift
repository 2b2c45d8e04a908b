public import Foundation

/// The files of a user's sessions.
extension OwnedStore {
    /// Returns the file with a name of each session that has one, those of the newest sessions first.
    public func files(named name: String) async throws(StoreError) -> [[UInt8]] {
        let user = user
        return try await read { connection in
            try connection.rows(
                """
                SELECT f.bytes FROM test_sessions s JOIN session_files f ON f.test_session_id = s.id AND f.name = ?
                WHERE s.user_id = ? ORDER BY s.started_at DESC, s.id
                """, [name, user]
            ).map { try $0.value("bytes") }
        }
    }

    /// Changes a file of a session in one transaction. Concurrent changes wait.
    ///
    /// - Parameter change: takes the file, nil if there is none, and returns the one to store. Nil leaves it unchanged.
    ///   It may be called more than once.
    /// - Returns: nil if this user has no such session.
    public func change<Outcome: Sendable>(
        file name: String, of session: UUID,
        _ change: @escaping @Sendable ([UInt8]?) -> (kept: [UInt8]?, outcome: Outcome)
    ) async throws(StoreError) -> Outcome? {
        let user = user
        return try await write { connection in
            let owned = try connection.first(
                "SELECT id FROM test_sessions WHERE id = ? AND user_id = ? {lock}", [session, user])
            guard owned != nil else { return nil }
            let known: [UInt8]? = try connection.first(
                "SELECT bytes FROM session_files WHERE test_session_id = ? AND name = ?", [session, name])?
                .value("bytes")
            let (kept, outcome) = change(known)
            if let kept { try connection.put(name, kept, session: session) }
            return outcome
        }
    }
}

extension SQLConnection {
    /// Stores or replaces one of a session's files.
    func put(_ name: String, _ bytes: [UInt8], session: UUID) throws(StoreError) {
        try change(
            """
            INSERT INTO session_files (test_session_id, name, bytes) VALUES (?, ?, ?)
            ON CONFLICT (test_session_id, name) DO UPDATE SET bytes = excluded.bytes
            """, [session, name, bytes])
    }
}

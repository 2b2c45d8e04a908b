public import Foundation

/// What a live session leaves so that another node can go on with it: its log, line by line, and its few files.
extension ServiceStore {
    /// Adds lines to a session's log. To add the same again is to have added them once.
    ///
    /// - Parameters:
    ///   - number: of the first of them; 1 is the first line of all.
    ///   - node: who must hold the session for it; nil asks for no lease.
    /// - Throws: `conflict` where another line stands at a number, one before it is missing, the session is not there or
    ///   another node holds it: whoever calls must not go on with the session.
    public func append(
        _ lines: [String], to session: UUID, from number: Int, node: String? = nil
    ) async throws(StoreError) {
        try await write { connection in
            guard let row = try connection.first("SELECT node FROM test_sessions WHERE id = ? {lock}", [session]) else {
                throw StoreError(.conflict, "there is no such session")
            }
            guard try node == nil || row.optional("node") == node else {
                throw StoreError(.conflict, "another node holds this session")
            }
            let last: Int = try connection.first(
                "SELECT coalesce(max(number), 0) AS last FROM session_log WHERE test_session_id = ?", [session])!
                .value("last")
            guard number >= 1, number <= last + 1 else {
                throw StoreError(.conflict, "the session's log has \(last) lines, and line \(number) cannot follow")
            }
            for (line, number) in zip(lines, number...) {
                guard number <= last else {
                    try connection.change(
                        "INSERT INTO session_log (test_session_id, number, line) VALUES (?, ?, ?)",
                        [session, number, line])
                    continue
                }
                let there = try connection.first(
                    "SELECT line FROM session_log WHERE test_session_id = ? AND number = ?", [session, number])
                guard try there?.value("line") == line else {
                    throw StoreError(.conflict, "the session's log has another line \(number)")
                }
            }
        }
    }

    /// A session's log from its first line on; none where there is no such session.
    public func lines(of session: UUID) async throws(StoreError) -> [String] {
        try await read { connection in
            try connection.rows(
                "SELECT line FROM session_log WHERE test_session_id = ? ORDER BY number", [session]
            ).map { try $0.value("line") }
        }
    }

    /// Keeps one of a session's files (`exam.json`, notes …) or replaces it. Some kilobytes: sound goes elsewhere.
    ///
    /// - Throws: `conflict` where there is no such session.
    public func put(_ name: String, _ bytes: [UInt8], session: UUID) async throws(StoreError) {
        try await write { connection in
            _ = try connection.change(
                """
                INSERT INTO session_files (test_session_id, name, bytes) VALUES (?, ?, ?)
                ON CONFLICT (test_session_id, name) DO UPDATE SET bytes = excluded.bytes
                """, [session, name, bytes])
        }
    }

    /// A session's files by name.
    public func files(of session: UUID) async throws(StoreError) -> [String: [UInt8]] {
        try await read { connection in
            var files: [String: [UInt8]] = [:]
            for row in try connection.rows("SELECT name, bytes FROM session_files WHERE test_session_id = ?", [session])
            {
                let name: String = try row.value("name")
                files[name] = try row.value("bytes")
            }
            return files
        }
    }

    /// The token that opens a live session, as a hash; the one before opens nothing any more. nil takes it away.
    ///
    /// - Returns: false where there is no such session.
    public func setLiveToken(_ hash: String?, session: UUID) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change("UPDATE test_sessions SET live_token_hash = ? WHERE id = ?", [hash, session]) > 0
        }
    }

    /// The session that a live token opens, and whose it is; nil where it opens none.
    public func session(byLiveToken hash: String) async throws(StoreError) -> (session: UUID, user: UUID)? {
        struct Found: Sendable {
            var session: UUID
            var user: UUID
        }
        let found = try await read { connection in
            try connection.first("SELECT id, user_id FROM test_sessions WHERE live_token_hash = ?", [hash])
                .map { Found(session: try $0.value("id"), user: try $0.value("user_id")) }
        }
        return found.map { ($0.session, $0.user) }
    }
}

public import Foundation

/// The data that another node needs to continue a live session: its log, line by line, and its few files.
extension ServiceStore {
    /// Appends lines to a session's log. Appending the same lines again changes nothing.
    ///
    /// - Parameters:
    ///   - number: the number of the first of these lines. The log begins with line 1.
    ///   - node: the node that must hold the session. Nil requires no lease.
    /// - Throws: `conflict` if there is a different line at a number, a line before these is missing, the session does
    ///   not exist, or another node holds it. The caller must then stop continuing the session.
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

    /// Returns a session's log from its first line on. Empty if there is no such session.
    public func lines(of session: UUID) async throws(StoreError) -> [String] {
        try await read { connection in
            try connection.rows(
                "SELECT line FROM session_log WHERE test_session_id = ? ORDER BY number", [session]
            ).map { try $0.value("line") }
        }
    }

    /// Stores or replaces one of a session's files (`exam.json`, notes …). Files have a few kilobytes. Sound is stored
    /// elsewhere.
    ///
    /// - Throws: `conflict` if there is no such session.
    public func put(_ name: String, _ bytes: [UInt8], session: UUID) async throws(StoreError) {
        try await write { connection in
            try connection.put(name, bytes, session: session)
        }
    }

    /// Returns a session's files by name.
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

    /// Sets the hash of the token that opens a live session. The previous token becomes invalid. Nil removes the token.
    ///
    /// - Returns: false if there is no such session.
    public func setLiveToken(_ hash: String?, session: UUID) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change("UPDATE test_sessions SET live_token_hash = ? WHERE id = ?", [hash, session]) > 0
        }
    }

    /// Returns the session that a live token opens, with its user. Nil if the token is invalid.
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

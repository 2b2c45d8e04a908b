public import Foundation

/// Leases of live sessions: each belongs to one node at a time. They are based on the database's clock, because nodes'
/// clocks may differ.
extension ServiceStore {
    /// Takes a session for a node if no node holds it, the holder's lease has ended, or this node holds it already.
    ///
    /// - Parameters:
    ///   - node: the node's name, which is unique while it runs.
    ///   - url: the URL at which clients reach the node.
    public func takeLease(
        _ session: UUID, node: String, url: String, seconds: Double
    ) async throws(StoreError) -> Lease {
        try await write { connection in
            let taken = try connection.change(
                """
                UPDATE test_sessions SET node = ?, node_url = ?, lease_until = {seconds} + ?
                WHERE id = ? AND (node IS NULL OR node = ? OR lease_until < {seconds})
                """, [node, url, seconds, session, node])
            if taken > 0 { return .taken }
            guard let row = try connection.first("SELECT node_url FROM test_sessions WHERE id = ?", [session]) else {
                return .noSuchSession
            }
            // The URL is NULL if the session was just released. The caller should ask again.
            return .heldBy(url: try row.optional("node_url") ?? "")
        }
    }

    /// Renews all leases of a node, including expired ones that no other node has taken.
    ///
    /// - Returns: the sessions that the node holds. A session that is missing was taken by another node or erased.
    public func renewLeases(node: String, seconds: Double) async throws(StoreError) -> [UUID] {
        try await write { connection in
            try connection.rows(
                "UPDATE test_sessions SET lease_until = {seconds} + ? WHERE node = ? RETURNING id", [seconds, node]
            ).map { try $0.value("id") }
        }
    }

    /// Releases a session, if the node holds it.
    public func releaseLease(_ session: UUID, node: String) async throws(StoreError) {
        try await write { connection in
            _ = try connection.change(
                """
                UPDATE test_sessions SET node = NULL, node_url = NULL, lease_until = NULL WHERE id = ? AND node = ?
                """, [session, node])
        }
    }

    /// Returns the interrupted live exams that no node holds now, with their users, oldest first.
    ///
    /// - Parameter moment: `2026-11-21T09:12:29Z`.
    public func abandonedExams(
        startedBefore moment: String, limit: Int
    ) async throws(StoreError) -> [(session: UUID, user: UUID)] {
        try await read { connection in
            try connection.rows(
                """
                SELECT id, user_id FROM test_sessions
                WHERE status = 'in_progress' AND live_token_hash IS NOT NULL AND started_at < ?
                  AND (node IS NULL OR lease_until < {seconds})
                ORDER BY started_at, id LIMIT ?
                """, [try UTCTime(moment), limit]
            ).map { (try $0.value("id"), try $0.value("user_id")) }
        }
    }
}

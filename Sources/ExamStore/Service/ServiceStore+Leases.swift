public import Foundation

/// A live session belongs to one node at a time. Leases run by the database's clock: nodes' clocks may differ.
extension ServiceStore {
    /// Takes a session for a node, if nobody holds it, its holder's lease has run out, or the node holds it already.
    ///
    /// - Parameters:
    ///   - node: the node's name, its own for as long as it runs.
    ///   - url: where clients reach it.
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
            // nil: let go of a moment ago, and to be asked for again.
            return .heldBy(url: try row.optional("node_url") ?? "")
        }
    }

    /// Renews all leases of a node, those that have run out and nobody took included.
    ///
    /// - Returns: the sessions it holds. One that is not among them any more is another node's, or erased.
    public func renewLeases(node: String, seconds: Double) async throws(StoreError) -> [UUID] {
        try await write { connection in
            try connection.rows(
                "UPDATE test_sessions SET lease_until = {seconds} + ? WHERE node = ? RETURNING id", [seconds, node]
            ).map { try $0.value("id") }
        }
    }

    /// Lets go of a session; nothing happens where the node does not hold it.
    public func releaseLease(_ session: UUID, node: String) async throws(StoreError) {
        try await write { connection in
            _ = try connection.change(
                """
                UPDATE test_sessions SET node = NULL, node_url = NULL, lease_until = NULL WHERE id = ? AND node = ?
                """, [session, node])
        }
    }

    /// Live exams that were broken off and that no node's lease covers, oldest first; and whose they are.
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

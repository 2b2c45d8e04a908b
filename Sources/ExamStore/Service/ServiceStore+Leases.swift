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

    /// Sessions that are being held or were broken off, oldest first.
    ///
    /// - Parameter unheld: only those that no node's lease covers.
    public func sessionsInProgress(unheld: Bool = false, limit: Int = 1000) async throws(StoreError) -> [UUID] {
        try await read { connection in
            try connection.rows(
                """
                SELECT id FROM test_sessions
                WHERE status = 'in_progress' AND (? OR node IS NULL OR lease_until < {seconds})
                ORDER BY started_at, id LIMIT ?
                """, [!unheld, limit]
            ).map { try $0.value("id") }
        }
    }
}

/// The presence of nodes, by the database's clock.
extension ServiceStore {
    /// The seconds after which a node that was not seen is forgotten: a day.
    private static let memory = 86_400.0

    /// Records that a node is running.
    ///
    /// - Parameters:
    ///   - id: the id in the node's folder. After a lost disk it is a different one.
    ///   - name: the node's configured name.
    ///   - url: the URL at which clients reach it. Nil if clients cannot reach it directly.
    ///   - seconds: how recently another node with this name must have been seen to be returned.
    /// - Returns: the ids of those other nodes.
    public func see(
        node id: String, name: String, url: String?, within seconds: Double
    ) async throws(StoreError) -> [String] {
        try await write { connection in
            try connection.change(
                """
                INSERT INTO nodes (id, name, url, seen_at) VALUES (?, ?, ?, {seconds})
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, url = excluded.url, seen_at = excluded.seen_at
                """, [id, name, url])
            try connection.change("DELETE FROM nodes WHERE seen_at < {seconds} - ?", [Self.memory])
            return try connection.rows(
                "SELECT id FROM nodes WHERE name = ? AND id <> ? AND seen_at >= {seconds} - ? ORDER BY id",
                [name, id, seconds]
            ).map { try $0.value("id") }
        }
    }

    /// Removes a node that has stopped, if it is known.
    public func forget(node id: String) async throws(StoreError) {
        try await write { _ = try $0.change("DELETE FROM nodes WHERE id = ?", [id]) }
    }
}

import SystemSupport

/// Nodes say that they are there, by the database's clock.
extension ServiceStore {
    /// A node that was not seen for a day is forgotten.
    private static let memory = 86_400.0

    /// Notes that a node is there.
    ///
    /// - Parameters:
    ///   - id: of its folder's: another one after a lost disk.
    ///   - name: what it was called.
    ///   - url: where clients reach it; nil: nowhere else.
    /// - Returns: the ids of other nodes of that name that were seen within so many seconds.
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

    /// A node has stopped, and nobody need look for it; nothing happens where it is not known.
    public func forget(node id: String) async throws(StoreError) {
        try await write { _ = try $0.change("DELETE FROM nodes WHERE id = ?", [id]) }
    }
}

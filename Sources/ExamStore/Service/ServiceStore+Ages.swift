public import Foundation

extension ServiceStore {
    /// Returns the sessions that ended before a moment, and those that began before it and never ended, with their
    /// users, oldest first.
    ///
    /// - Parameter moment: a time in UTC, such as `2026-11-21T09:12:29Z`.
    public func sessions(
        overBefore moment: String, limit: Int
    ) async throws(StoreError) -> [(session: UUID, user: UUID)] {
        try await read { connection in
            try connection.rows(
                """
                SELECT id, user_id FROM test_sessions WHERE COALESCE(completed_at, started_at) < ?
                ORDER BY started_at, id LIMIT ?
                """, [try UTCTime(moment), limit]
            ).map { (try $0.value("id"), try $0.value("user_id")) }
        }
    }
}

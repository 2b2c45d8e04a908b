public import Foundation

/// An erased session whose sound may still be in storage.
public struct Erasure: Equatable, Sendable {
    public var session: UUID
    public var user: UUID
    /// A time in UTC, such as `2026-11-21T09:12:29Z`.
    public var erasedAt: String
}

extension ServiceStore {
    /// Returns erasures whose sound may still be in storage, oldest first.
    public func erasures(limit: Int) async throws(StoreError) -> [Erasure] {
        try await read { connection in
            try connection.rows(
                "SELECT id, user_id, erased_at FROM erasures ORDER BY erased_at LIMIT ?", [limit]
            ).map {
                Erasure(
                    session: try $0.value("id"), user: try $0.value("user_id"),
                    erasedAt: try $0.value("erased_at"))
            }
        }
    }

    /// Removes an erasure: its sound is gone, and no more can arrive.
    public func finish(_ erasure: Erasure) async throws(StoreError) {
        try await write { connection in
            _ = try connection.change(
                "DELETE FROM erasures WHERE id = ? AND user_id = ?", [erasure.session, erasure.user])
        }
    }
}

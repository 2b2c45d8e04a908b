public import Foundation

/// A session that was erased, of which sound may still lie in storage.
public struct Erasure: Equatable, Sendable {
    public var session: UUID
    public var user: UUID
    /// `2026-11-21T09:12:29Z`.
    public var erasedAt: String
}

extension ServiceStore {
    /// Erasures whose sound is not known to be gone, oldest first.
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

    /// Its sound is gone, and none can come any more.
    public func finish(_ erasure: Erasure) async throws(StoreError) {
        try await write { connection in
            _ = try connection.change(
                "DELETE FROM erasures WHERE id = ? AND user_id = ?", [erasure.session, erasure.user])
        }
    }
}

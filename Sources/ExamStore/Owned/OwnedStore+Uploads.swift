public import Foundation

extension OwnedStore {
    // MARK: Resumable

    /// Announces an upload, and reserves the room for all of it.
    ///
    /// - Returns: `same` if it exists, even if it has begun; `parentMissing` if this user has no such session.
    /// - Throws: `full`.
    public func create(
        _ upload: ResumableUpload, within allowance: Allowance = .any
    ) async throws(StoreError) -> UpsertResult {
        let user = user
        return try await write { connection in
            // Takes the locks in the same order as storing a recording does. Otherwise two requests could wait for each
            // other.
            try connection.lockAllowance(of: user)
            if let session = upload.session {
                guard
                    try connection.first(
                        "SELECT 1 FROM test_sessions WHERE id = ? AND user_id = ? {keep}", [session, user]) != nil
                else { return .parentMissing }
            }
            if try connection.first(Self.findUpload, [upload.id, user]) != nil { return .same }
            try connection.take(of: user, within: allowance, bytes: upload.length ?? 0)
            let made = try connection.change(
                """
                INSERT INTO resumable_uploads (id, user_id, test_session_id, byte_length, byte_offset, metadata,
                  object_key, expires_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
                """,
                [
                    upload.id, user, upload.session, upload.length, upload.offset, upload.metadata, upload.key,
                    try UTCTime(upload.expiresAt),
                ])
            if made > 0 { return .created }
            return try connection.first(Self.findUpload, [upload.id, user]) == nil ? .refused : .same
        }
    }

    /// Returns a resumable upload. Nil if this user has none with this id.
    public func resumableUpload(_ id: UUID) async throws(StoreError) -> ResumableUpload? {
        let user = user
        return try await read { connection in
            try connection.first(Self.findUpload, [id, user]).map(ResumableUpload.init)
        }
    }

    /// Records that more bytes are stored, if no other call did so before.
    ///
    /// - Parameter length: the total length, if the client stated it only now.
    /// - Returns: false if the upload does not exist, has another offset, or would exceed its length.
    public func advance(
        _ id: UUID, from offset: Int, to next: Int, length: Int? = nil, expiresAt: String? = nil
    ) async throws(StoreError) -> Bool {
        let user = user
        return try await write { connection in
            try connection.change(
                """
                UPDATE resumable_uploads SET byte_offset = ?, byte_length = coalesce(byte_length, ?),
                  expires_at = coalesce(?, expires_at)
                WHERE id = ? AND user_id = ? AND byte_offset = ? AND ? >= byte_offset
                  AND (coalesce(byte_length, ?) IS NULL OR ? <= coalesce(byte_length, ?))
                """,
                [next, length, try UTCTime(expiresAt), id, user, offset, next, length, next, length]) > 0
        }
    }

    /// Deletes an upload's row.
    ///
    /// - Returns: the key of the object that must now be deleted. Nil if this user has no upload with this id.
    public func delete(upload id: UUID) async throws(StoreError) -> String? {
        let user = user
        return try await write { connection in
            try connection.first(
                "DELETE FROM resumable_uploads WHERE id = ? AND user_id = ? RETURNING object_key", [id, user])?
                .value("object_key")
        }
    }

    private static let findUpload =
        "SELECT \(ResumableUpload.columns) FROM resumable_uploads WHERE id = ? AND user_id = ?"
}

/// What a user agreed to: that answers are sent to a third party, by its name.
public struct GivenConsent: Equatable, Sendable {
    public var recipient: String
    /// What was agreed to, word by word.
    public var words: String
    /// ISO 8601 in UTC.
    public var givenAt: String
}

extension OwnedStore {
    /// By name.
    public func consents() async throws(StoreError) -> [GivenConsent] {
        let user = user
        return try await read { connection in
            try connection.rows(
                "SELECT recipient, words, given_at FROM consents WHERE user_id = ? ORDER BY recipient", [user]
            ).map { row in
                GivenConsent(
                    recipient: try row.value("recipient"), words: try row.value("words"),
                    givenAt: try row.value("given_at"))
            }
        }
    }

    /// Keeps a consent, with the words that were shown.
    public func agree(to recipient: String, words: String) async throws(StoreError) {
        let user = user
        try await write { connection in
            _ = try connection.change(
                """
                INSERT INTO consents (user_id, recipient, words, given_at) VALUES (?, ?, ?, {now})
                ON CONFLICT (user_id, recipient) DO UPDATE SET words = excluded.words, given_at = excluded.given_at
                """, [user, recipient, words])
        }
    }

    /// Takes a consent back: nothing more is sent there.
    ///
    /// - Returns: false where there was none.
    public func withdraw(from recipient: String) async throws(StoreError) -> Bool {
        let user = user
        return try await write { connection in
            try connection.change("DELETE FROM consents WHERE user_id = ? AND recipient = ?", [user, recipient]) > 0
        }
    }
}

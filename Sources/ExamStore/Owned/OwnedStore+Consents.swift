/// A user's consent to send answers to one third party, identified by its name.
public struct GivenConsent: Equatable, Sendable {
    public var recipient: String
    /// The exact words that the user agreed to.
    public var words: String
    /// The time in ISO 8601, UTC.
    public var givenAt: String
}

extension OwnedStore {
    /// Returns this user's consents, ordered by name.
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

    /// Stores a consent with the words that were shown.
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

    /// Withdraws a consent. Nothing more is sent to the recipient.
    ///
    /// - Returns: false if there was no such consent.
    public func withdraw(from recipient: String) async throws(StoreError) -> Bool {
        let user = user
        return try await write { connection in
            try connection.change("DELETE FROM consents WHERE user_id = ? AND recipient = ?", [user, recipient]) > 0
        }
    }
}

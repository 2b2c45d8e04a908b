/// A user's profile and plans: one document, opaque here.
extension OwnedStore {
    /// nil where this user has none.
    public func planBook() async throws(StoreError) -> String? {
        let user = user
        return try await read { connection in
            try connection.first("SELECT document FROM plans WHERE user_id = ?", [user])?.value("document")
        }
    }

    /// Puts a document in the place of the one that is known.
    ///
    /// - Parameter known: what was read before; nil: there was none.
    /// - Returns: false where there is another one by now: to be read, and tried again.
    public func put(planBook document: String, for known: String?) async throws(StoreError) -> Bool {
        let user = user
        return try await write { connection in
            guard let known else {
                return try connection.change(
                    "INSERT INTO plans (user_id, document) VALUES (?, ?) ON CONFLICT DO NOTHING", [user, document]) > 0
            }
            return try connection.change(
                "UPDATE plans SET document = ? WHERE user_id = ? AND document = ?", [document, user, known]) > 0
        }
    }

    /// Whether or not there was one.
    public func erasePlanBook() async throws(StoreError) {
        let user = user
        try await write { connection in
            _ = try connection.change("DELETE FROM plans WHERE user_id = ?", [user])
        }
    }

    /// The newest lines of the practice log, in order.
    public func newestPracticeLines(limit: Int) async throws(StoreError) -> [String] {
        let user = user
        return try await read { connection in try connection.newestPracticeLines(of: user, limit: limit) }
    }
}

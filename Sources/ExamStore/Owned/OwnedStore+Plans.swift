/// A user's profile and plans in one document, whose contents the store does not read.
extension OwnedStore {
    /// Returns the document. Nil if this user has none.
    public func planBook() async throws(StoreError) -> String? {
        let user = user
        return try await read { connection in
            try connection.first("SELECT document FROM plans WHERE user_id = ?", [user])?.value("document")
        }
    }

    /// Replaces the document if it is still the known one.
    ///
    /// - Parameter known: the document read before. Nil if it didn't exist.
    /// - Returns: false if the document has changed. Read it and try again.
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

    /// Erases the document, if there is one.
    public func erasePlanBook() async throws(StoreError) {
        let user = user
        try await write { connection in
            _ = try connection.change("DELETE FROM plans WHERE user_id = ?", [user])
        }
    }

    /// Returns the newest lines of the practice log, in order.
    public func newestPracticeLines(limit: Int) async throws(StoreError) -> [String] {
        let user = user
        return try await read { connection in try connection.newestPracticeLines(of: user, limit: limit) }
    }
}

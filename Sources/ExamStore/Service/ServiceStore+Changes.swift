public import Foundation

/// Changes of a session, for clients that watch its results.
extension ServiceStore {
    /// Returns the changes after a number in rising order, each thing once. Nil if the session does not exist (any
    /// more).
    ///
    /// - Parameter number: 0 for all changes.
    public func changes(of session: UUID, after number: Int) async throws(StoreError) -> [SessionChange]? {
        try await read { connection in
            guard try connection.first("SELECT 1 FROM test_sessions WHERE id = ?", [session]) != nil else { return nil }
            let rows = try connection.rows(
                """
                SELECT number, thing, response_id FROM session_changes WHERE test_session_id = ? AND number > ?
                ORDER BY number
                """, [session, number])
            return try rows.compactMap { row in
                let word: String = try row.value("thing")
                // Ignores things that a later version added.
                guard let thing = SessionChange.Thing(rawValue: word) else { return nil }
                return SessionChange(
                    number: try row.value("number"), thing: thing, response: try row.optional("response_id"))
            }
        }
    }

    /// Returns a stream that fires when something in a session changes on any node. It also fires at once in the
    /// beginning, and every half minute, because announcements can be lost with a connection. It ends when the store is
    /// closed.
    public func wakeUps(of session: UUID) -> AsyncStream<Void> {
        let wakes = wakes
        database.listen { wakes.hear($0) }
        return wakes.stream(of: session)
    }
}

extension SQLConnection {
    /// Records a change in a session, and wakes its watchers when this transaction is committed.
    ///
    /// Call it before the transaction changes the session's answers. It locks the session's row, so that numbers become
    /// visible in order.
    func note(_ thing: SessionChange.Thing, of session: UUID, response: UUID? = nil) throws(StoreError) {
        guard try first("SELECT 1 FROM test_sessions WHERE id = ? {lock}", [session]) != nil else { return }
        let last: Int = try first(
            "SELECT coalesce(max(number), 0) AS number FROM session_changes WHERE test_session_id = ?", [session])!
            .value("number")
        if let response {
            try change(
                "DELETE FROM session_changes WHERE test_session_id = ? AND thing = ? AND response_id = ?",
                [session, thing.rawValue, response])
        } else {
            try change(
                "DELETE FROM session_changes WHERE test_session_id = ? AND thing = ? AND response_id IS NULL",
                [session, thing.rawValue])
        }
        try change(
            "INSERT INTO session_changes (test_session_id, number, thing, response_id) VALUES (?, ?, ?, ?)",
            [session, last + 1, thing.rawValue, response])
        try announce(session)
    }

    /// Records a change of an answer whose session is not known.
    ///
    /// - Returns: false if the answer does not exist (any more).
    func note(_ thing: SessionChange.Thing, ofResponse response: UUID) throws(StoreError) -> Bool {
        guard let row = try first("SELECT test_session_id FROM responses WHERE id = ?", [response]) else {
            return false
        }
        try note(thing, of: try row.value("test_session_id"), response: response)
        return true
    }
}

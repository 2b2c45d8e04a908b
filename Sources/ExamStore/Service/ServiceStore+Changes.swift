public import Foundation

/// What changed of a session, for whoever watches its results grow.
extension ServiceStore {
    /// What changed after a number, by rising numbers, each thing once; nil where there is no such session (any more).
    ///
    /// - Parameter number: 0 for everything that ever changed.
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
                // A later version's thing is none of ours.
                guard let thing = SessionChange.Thing(rawValue: word) else { return nil }
                return SessionChange(
                    number: try row.value("number"), thing: thing, response: try row.optional("response_id"))
            }
        }
    }

    /// Comes when something of a session changed, on any node; at once in the beginning, and every half a minute in any case, since news can be
    /// lost with a connection. Ends when the store is closed.
    public func wakeUps(of session: UUID) -> AsyncStream<Void> {
        let wakes = wakes
        database.listen { wakes.hear($0) }
        return wakes.stream(of: session)
    }
}

extension SQLConnection {
    /// Notes that something of a session changed, and wakes whoever watches it when this transaction is committed.
    ///
    /// It comes before what else the transaction does to the session's answers: numbers become visible in their order, since the session's row is
    /// locked from here on.
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

    /// As `note`, of an answer whose session is not known.
    ///
    /// - Returns: false where there is no such answer (any more).
    func note(_ thing: SessionChange.Thing, ofResponse response: UUID) throws(StoreError) -> Bool {
        guard let row = try first("SELECT test_session_id FROM responses WHERE id = ?", [response]) else {
            return false
        }
        try note(thing, of: try row.value("test_session_id"), response: response)
        return true
    }
}

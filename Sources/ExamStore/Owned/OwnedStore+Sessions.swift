import ExamCore
public import Foundation

extension OwnedStore {
    /// Stores a session's facts, regardless of its current state.
    ///
    /// - Parameter groups: the candidate's groups. Their teachers may read a session that this call creates.
    /// - Returns: `parentMissing` if its template is unknown; `refused` if the id belongs to another user or was just
    ///   erased.
    /// - Throws: `full`; `sealed`; `heldHere` if a client contradicts an exam that the server holds.
    public func put(
        _ session: TestSession, in groups: Set<String> = [], within allowance: Allowance = .any
    ) async throws(StoreError) -> UpsertResult {
        let (user, writer) = (user, writer)
        return try await write { connection in
            if let template = session.templateID,
                try connection.first("SELECT 1 FROM test_templates WHERE id = ?", [template]) == nil
            {
                return .parentMissing
            }
            // Late writes by a client must not bring back an erased session, whose stored data would then be removed.
            guard
                try connection.first("SELECT 1 FROM erasures WHERE id = ? AND user_id = ?", [session.id, user]) == nil
            else { return .refused }
            // A new exam may not use the id of a sealed one, whose hashes remain.
            guard
                try connection.first(
                    """
                    SELECT 1 FROM seals e WHERE e.session = ? AND NOT EXISTS (
                      SELECT 1 FROM test_sessions s WHERE s.id = e.session)
                    """, [session.id]) == nil
            else { return .refused }
            if try connection.first("SELECT 1 FROM test_sessions WHERE id = ?", [session.id]) == nil {
                try connection.take(of: user, within: allowance, count: 1)
            }
            let facts: [(any SQLParameter)?] = [
                session.templateID, try UTCTime(session.startedAt), session.expectedResponses, session.name,
                session.format, session.paper, session.mode?.rawValue,
            ]
            let made = try connection.change(
                """
                INSERT INTO test_sessions (id, user_id, test_template_id, started_at, expected_responses, name, format,
                  paper, mode, held, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {now}) ON CONFLICT (id) DO NOTHING
                """, [session.id, user] + facts + [writer.rawValue])
            if made > 0 {
                for group in groups.sorted() {
                    try connection.change(
                        "INSERT INTO session_groups (test_session_id, group_name, user_id) VALUES (?, ?, ?)",
                        [session.id, group, user])
                }
                return .created
            }
            guard let row = try connection.first(Self.findSession(TestSession.columns), [session.id, user]) else {
                return .refused
            }
            if try TestSession(row).hasFacts(of: session) { return .same }
            try admitChange(row)
            try connection.change(
                """
                UPDATE test_sessions SET test_template_id = ?, started_at = ?,
                  expected_responses = coalesce(?, expected_responses), name = ?,
                  format = ?, paper = ?, mode = ?
                WHERE id = ? AND user_id = ?
                """, facts + [session.id, user])
            return .changed
        }
    }

    /// Returns a session. Nil if this user has no such session.
    public func session(_ id: UUID) async throws(StoreError) -> TestSession? {
        let (user, columns) = (user, TestSession.columns(for: reader))
        return try await read { connection in
            try connection.first(Self.findSession(columns), [id, user]).map(TestSession.init)
        }
    }

    static func findSession(_ columns: String) -> String {
        "SELECT \(columns) FROM test_sessions WHERE id = ? AND user_id = ?"
    }

    /// Returns a page of this user's sessions, newest first.
    ///
    /// - Parameters:
    ///   - limit: 1 or more.
    ///   - before: the end of the previous page. Nil for the first page.
    ///   - papers: the papers of the sessions. Nil for all sessions.
    public func sessions(
        limit: Int, before place: PageCursor? = nil, papers: PaperFilter? = nil
    ) async throws(StoreError) -> [TestSession] {
        let user = user
        let right = reader?.condition(on: "test_sessions.id") ?? ("TRUE", [])
        let wanted = papers?.condition(on: "paper") ?? ("TRUE", [])
        let (conditions, values) = ("\(right.0) AND \(wanted.0)", right.1 + wanted.1)
        let columns = TestSession.columns(for: reader)
        return try await read { connection in
            let rows =
                if let place {
                    try connection.rows(
                        """
                        SELECT \(columns) FROM test_sessions
                        WHERE user_id = ? AND \(conditions) AND (started_at, id) < (?, ?)
                        ORDER BY started_at DESC, id DESC LIMIT ?
                        """, [user] + values + [try UTCTime(place.startedAt), place.id, limit])
                } else {
                    try connection.rows(
                        """
                        SELECT \(columns) FROM test_sessions
                        WHERE user_id = ? AND \(conditions) ORDER BY started_at DESC, id DESC LIMIT ?
                        """, [user] + values + [limit])
                }
            return try rows.map(TestSession.init)
        }
    }

    /// Ends a session: it becomes `completed` and is queued once for evaluation, however often this is called.
    ///
    /// Answers may still arrive until the session is sealed. `allResponsesUploaded` says whether all announced ones are
    /// stored.
    ///
    /// - Returns: `parentMissing` if this user has no such session.
    /// - Throws: `sealed`, `heldHere`. Repeating an earlier completion is allowed.
    public func complete(_ session: UUID, _ completion: Completion) async throws(StoreError) -> UpsertResult {
        let (user, wishes) = (user, wishes)
        return try await write { connection in
            guard
                let row = try connection.first(
                    """
                    SELECT completion_id, completed_at, outcome, answers, held, seal FROM test_sessions
                    WHERE id = ? AND user_id = ? {lock}
                    """, [session, user])
            else { return .parentMissing }
            let before: UUID? = try row.optional("completion_id")
            if before == completion.id, try row.optional("completed_at") == completion.completedAt,
                try row.optional("outcome") == completion.outcome, try row.optional("answers") == completion.answers
            {
                return .same
            }
            try admitChange(row)
            try connection.change(
                """
                UPDATE test_sessions SET completion_id = ?, completed_at = ?, outcome = ?, answers = ?,
                  closed_at = coalesce(closed_at, {seconds}), expected_responses = coalesce(expected_responses, ?)
                WHERE id = ? AND user_id = ?
                """,
                [
                    completion.id, try UTCTime(completion.completedAt), completion.outcome, completion.answers,
                    completion.answers, session, user,
                ])
            try countResponses(of: session, connection)
            // The candidate is waiting for the result.
            try connection.enqueue(
                .evaluate, session: session, assessor: wishes.assessor, again: false, priority: JobKind.awaited)
            try connection.deriveStatus(of: session)
            if completion.answers > 0 { try connection.askForMarks(of: session, markers: wishes.markers) }
            if before == nil { try connection.tell(.completed, of: session, to: wishes.endpoints) }
            return before == nil ? .created : .changed
        }
    }

    /// Counts the questions with answers, and determines whether all answers are stored. The session's row is locked.
    func countResponses(of session: UUID, _ connection: any SQLConnection) throws(StoreError) {
        try connection.change(
            """
            UPDATE test_sessions SET
              completed_responses = (SELECT count(DISTINCT question) FROM responses WHERE test_session_id = ?)
            WHERE id = ? AND user_id = ?
            """, [session, session, user])
        try connection.change(
            """
            UPDATE test_sessions SET all_responses_uploaded = (
              answers IS NOT NULL AND (SELECT count(*) FROM responses WHERE test_session_id = ?) >= answers)
            WHERE id = ? AND user_id = ?
            """, [session, session, user])
    }

    /// Erases a session and all rows that belong to it, including jobs and the log. A row that says that its sound has
    /// to be erased remains until that is done (`ServiceStore.erasures`).
    ///
    /// Its seal with the hashes remains, and says who erased it.
    ///
    /// - Parameter who: `owner`, `operator` or `retention`.
    /// - Returns: false if this user has no such session.
    public func erase(session: UUID, by who: String = "owner") async throws(StoreError) -> Bool {
        let user = user
        return try await write { connection in
            guard
                try connection.first(
                    "SELECT 1 FROM test_sessions WHERE id = ? AND user_id = ? {lock}", [session, user]) != nil
            else { return false }
            try connection.append((.erasure, who, "exam", nil, nil), toSealOf: session)
            // The rest goes with it (ON DELETE CASCADE).
            try connection.announce(session)
            let gone = try connection.change("DELETE FROM test_sessions WHERE id = ? AND user_id = ?", [session, user])
            guard gone > 0 else { return false }
            try connection.change(
                "INSERT INTO erasures (id, user_id, erased_at) VALUES (?, ?, {now}) ON CONFLICT DO NOTHING",
                [session, user])
            return true
        }
    }
}

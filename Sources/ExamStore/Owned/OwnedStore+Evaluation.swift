public import Foundation

/// The progress of a session's evaluation.
public struct EvaluationState: Codable, Equatable, Sendable {
    /// `pending`, `processing`, `waiting` (a judge or the storage is unavailable, and the server tries again),
    /// `completed` or `failed`.
    public var status: String
    /// The reason why it failed or is tried again. Nil if it did not fail.
    public var error: String?

    public init(status: String, error: String? = nil) {
        self.status = status
        self.error = error
    }
}

extension OwnedStore {
    /// Returns a session with the progress of its evaluation. Nil if this user has no such session; the evaluation is nil
    /// if it was not requested.
    ///
    /// The evaluation is read first. The session may be newer than the evaluation, but never older: a client that sees
    /// `completed` sees the bands, too, and may stop asking.
    public func sessionWithEvaluation(
        _ id: UUID
    ) async throws(StoreError) -> (session: TestSession, evaluation: EvaluationState?)? {
        let (user, columns) = (user, TestSession.columns(for: reader))
        return try await read { connection in
            let evaluation = try connection.first(
                """
                SELECT CASE q.status WHEN 'failed' THEN 'waiting' ELSE e.status END AS status, e.error_message
                FROM session_processing_queue e JOIN processing_queue q ON q.id = e.id
                JOIN test_sessions s ON s.id = e.test_session_id WHERE s.id = ? AND s.user_id = ?
                """, [id, user]
            ).map { row in
                EvaluationState(status: try row.value("status"), error: try row.optional("error_message"))
            }
            guard let session = try connection.first(Self.findSession(columns), [id, user]).map(TestSession.init)
            else { return nil }
            return (session, evaluation)
        }
    }

    /// Sets a session's template, which must exist, and takes over its format and paper if the session has none of its
    /// own.
    ///
    /// - Returns: false if this user has no such session, if it already has a template or is sealed, or if there is no
    ///   such template.
    public func put(template: UUID, of session: UUID) async throws(StoreError) -> Bool {
        let user = user
        return try await write { connection in
            let row = try connection.first("SELECT format, paper FROM test_templates WHERE id = ?", [template])
            guard let row else { return false }
            let (format, paper): (String, String) = (try row.value("format"), try row.value("paper"))
            return try connection.change(
                """
                UPDATE test_sessions SET test_template_id = ?, format = CASE WHEN paper = '' THEN ? ELSE format END,
                  paper = CASE WHEN paper = '' THEN ? ELSE paper END
                WHERE id = ? AND user_id = ? AND test_template_id IS NULL AND seal IS NULL AND held = 'client'
                """, [template, format, paper, session, user]) > 0
        }
    }

    /// Returns a template's question by its id. Nil if the template has no such question.
    public func question(_ id: UUID, of template: UUID) async throws(StoreError) -> TestQuestion? {
        try await read { connection in
            try connection.first(
                "SELECT \(TestQuestion.columns) FROM questions WHERE id = ? AND test_template_id = ?", [id, template]
            ).map(TestQuestion.init)
        }
    }
}

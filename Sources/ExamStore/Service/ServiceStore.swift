public import Foundation

/// The operations of the server itself, on all users' rows. The caller must have checked the permissions.
///
/// All calls throw `StoreError`: `unavailable` (try again later), `invalid` (a value that cannot be stored), `conflict`
/// if the call documents it.
public struct ServiceStore: Sendable {
    let database: any SQLDatabase
    let wakes: WakeUps
    let endpoints: EventEndpoints

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        try await database.transaction(.read, as: .service, body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        try await database.transaction(.write, as: .service, body)
    }

    // MARK: Templates

    /// Stores a template with all its questions. Questions that are missing are removed. If ids of questions changed,
    /// stored answers get the new ids.
    public func put(_ template: TestTemplate, questions: [TestQuestion]) async throws(StoreError) {
        try await write { connection in
            try connection.change(
                """
                INSERT INTO test_templates (id, title, description, difficulty_level, is_active, format, paper, created_at,
                  updated_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, {now}, {now})
                ON CONFLICT (id) DO UPDATE SET title = excluded.title, description = excluded.description,
                  difficulty_level = excluded.difficulty_level, is_active = excluded.is_active, format = excluded.format,
                  paper = excluded.paper, updated_at = excluded.updated_at
                """,
                [
                    template.id, template.title, template.description, template.difficulty?.rawValue, template.isActive,
                    template.format, template.paper,
                ])
            let before = try connection.rows("SELECT id FROM questions WHERE test_template_id = ?", [template.id]).map {
                try $0.value("id") as UUID
            }
            try connection.change("DELETE FROM questions WHERE test_template_id = ?", [template.id])
            for question in questions {
                try connection.change(
                    """
                    INSERT INTO questions (id, test_template_id, part_number, question_order, question_text, question,
                      audio_file_url, transcript, expected_duration, topic_keywords, created_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {now})
                    """,
                    [
                        question.id, template.id, question.part, question.order, question.text, question.question,
                        question.audioURL, question.transcript, question.expectedDuration,
                        try JSONText(question.topicKeywords),
                    ])
            }
            guard Set(before) != Set(questions.map(\.id)) else { return }
            try connection.change(
                """
                UPDATE responses SET question_id = (
                  SELECT q.id FROM questions q WHERE q.test_template_id = ? AND q.question = responses.question)
                WHERE test_session_id IN (SELECT s.id FROM test_sessions s WHERE s.test_template_id = ?)
                """, [template.id, template.id])
        }
    }

    // MARK: Owners

    /// Returns a session. Nil if the id is unknown.
    public func session(_ id: UUID) async throws(StoreError) -> TestSession? {
        try await read { connection in
            try connection.first("SELECT \(TestSession.columns) FROM test_sessions WHERE id = ?", [id])
                .map(TestSession.init)
        }
    }

    /// Returns a session's user. Nil if there is no such session.
    public func owner(of session: UUID) async throws(StoreError) -> UUID? {
        try await read { connection in
            try connection.first("SELECT user_id FROM test_sessions WHERE id = ?", [session])?.value("user_id")
        }
    }

    /// Returns a submission's user. Nil if there is no such submission.
    public func owner(ofSubmission id: UUID) async throws(StoreError) -> UUID? {
        try await read { connection in
            try connection.first("SELECT user_id FROM submissions WHERE id = ?", [id])?.value("user_id")
        }
    }

    // MARK: Leftovers and counts

    /// Returns the resumable uploads that have expired by the database's clock. Each comes with its user, because the
    /// caller must delete it through that user's `OwnedStore`.
    public func expiredUploads(limit: Int = 100) async throws(StoreError) -> [(user: UUID, upload: ResumableUpload)] {
        let found = try await read { connection in
            try connection.rows(
                """
                SELECT user_id, \(ResumableUpload.columns) FROM resumable_uploads WHERE expires_at < {now}
                ORDER BY expires_at LIMIT ?
                """, [limit]
            ).map { row in Expired(user: try row.value("user_id"), upload: try ResumableUpload(row)) }
        }
        return found.map { ($0.user, $0.upload) }
    }

    private struct Expired: Sendable {
        var user: UUID
        var upload: ResumableUpload
    }

    /// Returns the number of sessions by status.
    public func sessionCounts() async throws(StoreError) -> [String: Int] {
        try await read { connection in
            var counts: [String: Int] = [:]
            for row in try connection.rows("SELECT status, count(*) AS count FROM test_sessions GROUP BY status") {
                let status: String = try row.value("status")
                counts[status] = try row.value("count")
            }
            return counts
        }
    }
}

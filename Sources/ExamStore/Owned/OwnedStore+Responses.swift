import ExamCore
public import Foundation

extension OwnedStore {
    /// Stores the location of an answer's recording. Its bytes must already be in the audio store.
    ///
    /// - Returns: `parentMissing` if this user has no such session.
    /// - Throws: `conflict` if other bytes are stored under this id: a recording is never replaced. `full` if the
    ///   allowance does not suffice. `sealed` if nothing can be added to the session any more. `heldHere` if a client
    ///   may not add to it.
    ///
    /// - Parameters:
    ///   - allowance: the user's limits, including this recording.
    ///   - reservation: the row of an upload that reserved the space. It is removed.
    public func put(
        _ recording: Recording, within allowance: Allowance = .any, instead reservation: UUID? = nil
    ) async throws(StoreError) -> UpsertResult {
        let user = user
        return try await write { connection in
            if let reservation {
                try connection.lockAllowance(of: user)
                try connection.change(
                    "DELETE FROM resumable_uploads WHERE id = ? AND user_id = ?", [reservation, user])
            }
            if try connection.first(Self.findRecording, [recording.id, user]) == nil {
                try connection.take(of: user, within: allowance, bytes: recording.byteCount)
            }
            return try keep(recording, connection)
        }
    }

    private func keep(_ recording: Recording, _ connection: any SQLConnection) throws -> UpsertResult {
        guard
            let session = try connection.first(
                "SELECT held, seal FROM test_sessions WHERE id = ? AND user_id = ? {keep}", [recording.session, user])
        else { return .parentMissing }
        // Check for an existing row first, so that sending a recording again succeeds and changes nothing.
        if let there = try connection.first(Self.findRecording, [recording.id, user]).map(Recording.init) {
            return try Self.compare(recording, with: there)
        }
        try admitChange(session)
        let made = try connection.change(
            """
            INSERT INTO recordings (id, test_session_id, user_id, object_key, byte_count, sha256, media_type, stored_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, {now}) ON CONFLICT (id) DO NOTHING
            """,
            [
                recording.id, recording.session, user, recording.key, recording.byteCount, recording.sha256,
                recording.mediaType,
            ])
        if made > 0 { return .created }
        // Another transaction stored a recording with this id meanwhile.
        guard let there = try connection.first(Self.findRecording, [recording.id, user]).map(Recording.init) else {
            return .refused
        }
        return try Self.compare(recording, with: there)
    }

    private static func compare(_ recording: Recording, with there: Recording) throws(StoreError) -> UpsertResult {
        guard there.session == recording.session, there.sha256 == recording.sha256 else {
            throw StoreError(.conflict, "other bytes are stored under this id")
        }
        // The same bytes under another key: the first copy stays, and the caller deletes its own.
        return .same
    }

    /// Returns a recording. Nil if this user has none with this id, or if the reader may not hear it: an introduction
    /// is for its owner alone.
    public func recording(_ id: UUID) async throws(StoreError) -> Recording? {
        let (user, isReadOnly) = (user, isReadOnly)
        return try await read { connection in
            let isAssessed =
                "EXISTS (SELECT 1 FROM responses r WHERE r.id = recordings.id AND \(TestResponse.isAssessed))"
            return try connection.first(
                Self.findRecording + (isReadOnly ? " AND \(isAssessed)" : ""), [id, user]
            ).map(Recording.init)
        }
    }

    private static let findRecording = "SELECT \(Recording.columns) FROM recordings WHERE id = ? AND user_id = ?"

    /// Stores an answer. Its recording is stored before, or together with it.
    ///
    /// - Parameter recording: a recording to store in the same transaction as the answer.
    /// - Returns: `parentMissing` if this user has no such session, or if it has no recording with the answer's id.
    /// - Throws: `conflict` if a different recording is stored, or if the question's attempt already has an answer with
    ///   another id. `sealed` and `heldHere` as for a recording.
    public func put(_ response: TestResponse, recording: Recording? = nil) async throws(StoreError) -> UpsertResult {
        let (user, wishes) = (user, wishes)
        return try await write { connection in
            if let recording {
                let kept = try keep(recording, connection)
                if kept == .refused || kept == .parentMissing { return kept }
            }
            guard
                let session = try connection.first(
                    "SELECT completed_at, held, seal FROM test_sessions WHERE id = ? AND user_id = ? {lock}",
                    [response.session, user])
            else { return .parentMissing }
            let stored = try connection.first(Self.findRecording, [response.id, user]).map(Recording.init)
            var response = response
            // Store the key of the object that is actually in storage.
            if let stored, stored.session == response.session { response.path = stored.key }
            if response.questionID == nil {
                response.questionID = try questionID(of: response.question, in: response.session, connection)
            }
            if let there = try connection.first(Self.findResponse, [response.id, user]).map(TestResponse.init) {
                if there.hasFacts(of: response) { return .same }
                try admitChange(session)
                guard there.session == response.session, there.sha256 == response.sha256 else {
                    throw StoreError(.conflict, "another answer is stored under this id")
                }
                try connection.change(
                    """
                    UPDATE responses SET question_id = ?, question = ?, part = ?, question_order = ?, attempt = ?,
                      duration_seconds = ?, record = ?, audio_file_path = ?, byte_count = ?, sha256 = ?, media_type = ?,
                      processing_order = ?, purpose = ?
                    WHERE id = ?
                    """, try response.facts + [response.id])
                try countResponses(of: response.session, connection)
                try connection.note(.answer, of: response.session, response: response.id)
                return .changed
            }
            guard let recording = stored, recording.session == response.session else { return .parentMissing }
            guard recording.sha256 == response.sha256 else {
                throw StoreError(.conflict, "the recording that is stored under this id is another one")
            }
            try admitChange(session)
            try connection.change(
                """
                INSERT INTO responses (question_id, question, part, question_order, attempt, duration_seconds, record,
                  audio_file_path, byte_count, sha256, media_type, processing_order, purpose, id, test_session_id, uploaded_at,
                  upload_status, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'uploaded', {now})
                """,
                try response.facts + [response.id, response.session, try UTCTime(recording.storedAt)])
            try countResponses(of: response.session, connection)
            try connection.note(.answer, of: response.session, response: response.id)
            // The session was already over. Evaluate it once more, including this answer.
            let completedAt: String? = try session.optional("completed_at")
            if completedAt != nil {
                try connection.enqueue(
                    .evaluate, session: response.session, assessor: wishes.assessor, again: true,
                    priority: JobKind.awaited)
            } else if wishes.hears, response.record.purpose == .assessed {
                try connection.enqueue(.hear, session: response.session, assessor: wishes.assessor, again: true)
            }
            return .created
        }
    }

    /// Looks up a question's id in the session's template by the question's id in the paper. Nil if the session has no
    /// template, or if the template doesn't contain the question.
    private func questionID(
        of question: String, in session: UUID, _ connection: any SQLConnection
    ) throws(StoreError) -> UUID? {
        try connection.first(
            """
            SELECT q.id FROM questions q JOIN test_sessions s ON s.test_template_id = q.test_template_id
            WHERE s.id = ? AND s.user_id = ? AND q.question = ?
            """, [session, user, question])?.value("id")
    }

    /// Returns a session's answers in the order of the exam. Empty if this user has no such session. Only the owner
    /// gets the answers to introductions.
    public func responses(of session: UUID) async throws(StoreError) -> [TestResponse] {
        let (user, mayRead) = (user, mayReadAnswers)
        return try await read { connection in
            try connection.rows(
                """
                SELECT \(TestResponse.columns) FROM responses r JOIN test_sessions s ON s.id = r.test_session_id
                WHERE r.test_session_id = ? AND s.user_id = ? AND \(mayRead) ORDER BY r.part, r.question_order, r.attempt
                """, [session, user]
            ).map(TestResponse.init)
        }
    }

    /// The SQL condition for rows of `responses r` that the caller may read.
    private var mayReadAnswers: String { isReadOnly ? TestResponse.isAssessed : "TRUE" }

    /// Returns an answer. Nil if this user has no answer with this id, or if it is an introduction and the caller isn't
    /// its owner.
    public func response(_ id: UUID) async throws(StoreError) -> TestResponse? {
        let (user, mayRead) = (user, mayReadAnswers)
        return try await read { connection in
            try connection.first(Self.findResponse + " AND \(mayRead)", [id, user]).map(TestResponse.init)
        }
    }

    private static let findResponse = """
        SELECT \(TestResponse.columns) FROM responses r JOIN test_sessions s ON s.id = r.test_session_id
        WHERE r.id = ? AND s.user_id = ?
        """
}

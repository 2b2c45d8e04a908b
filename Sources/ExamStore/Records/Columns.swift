import ExamCore
import Foundation

// Reading records from rows: the columns to select, and how each is read.

extension TestTemplate {
    static let columns =
        "id, title, description, difficulty_level, is_active, format, paper, created_at, updated_at"

    init(_ row: SQLRow) throws(StoreError) {
        let level: String? = try row.optional("difficulty_level")
        self.init(
            id: try row.value("id"), title: try row.value("title"), description: try row.optional("description"),
            difficulty: level.flatMap(Difficulty.init), isActive: try row.value("is_active"),
            format: try row.value("format"), paper: try row.value("paper"))
        createdAt = try row.value("created_at")
        updatedAt = try row.value("updated_at")
    }
}

extension TestQuestion {
    static let columns = """
        id, part_number, question_order, question_text, question, audio_file_url, transcript, expected_duration,
        topic_keywords
        """

    init(_ row: SQLRow) throws(StoreError) {
        self.init(
            id: try row.value("id"), part: try row.value("part_number"), order: try row.value("question_order"),
            text: try row.value("question_text"), question: try row.value("question"),
            audioURL: try row.optional("audio_file_url"), transcript: try row.optional("transcript"),
            expectedDuration: try row.optional("expected_duration"), topicKeywords: try row.json("topic_keywords"))
    }
}

extension Scores {
    init(_ row: SQLRow) throws(StoreError) {
        self.init(
            fluency: try row.optional("fluency_score"), pronunciation: try row.optional("pronunciation_score"),
            grammar: try row.optional("grammar_score"), vocabulary: try row.optional("vocabulary_score"),
            topicRelevance: try row.optional("topic_relevance_score"))
    }

    var values: [(any SQLParameter)?] { [fluency, pronunciation, grammar, vocabulary, topicRelevance] }
}

extension TestSession {
    /// The columns as the server and the session's owner see them.
    static let columns = columns(counting: "TRUE")

    /// - Parameter reader: nil for the owner and the server. For other readers, introductions are not counted.
    static func columns(for reader: Reader?) -> String {
        reader == nil ? columns : columns(counting: TestResponse.isAssessed)
    }

    private static func columns(counting answers: String) -> String {
        """
        id, name, format, paper, test_template_id, mode, started_at, expected_responses, status, completed_at, outcome, answers,
        completed_responses, all_responses_uploaded, overall_band_score, fluency_score, pronunciation_score, grammar_score,
        vocabulary_score, topic_relevance_score, is_held, held, seal, sealed_at, evidence,
        (SELECT count(*) FROM responses r WHERE r.test_session_id = test_sessions.id AND \(answers)) AS stored_responses
        """
    }

    init(_ row: SQLRow) throws(StoreError) {
        self.init(
            id: try row.value("id"), name: try row.value("name"), format: try row.value("format"),
            paper: try row.value("paper"), templateID: try row.optional("test_template_id"),
            mode: try (row.optional("mode") as String?).flatMap(ExamOptions.Mode.init(rawValue:)),
            startedAt: try row.value("started_at"), expectedResponses: try row.optional("expected_responses"),
            held: try HeldBy(row))
        let word: String = try row.value("status")
        guard let status = SessionStatus(rawValue: word) else {
            throw StoreError(.unusable, "column status of the database holds something else")
        }
        self.status = status
        completedAt = try row.optional("completed_at")
        outcome = try row.optional("outcome")
        announcedResponses = try row.optional("answers")
        completedResponses = try row.value("completed_responses")
        storedResponses = try row.value("stored_responses")
        isHeld = try row.value("is_held")
        allResponsesUploaded = try row.value("all_responses_uploaded")
        overallBand = try row.optional("overall_band_score")
        scores = try Scores(row)
        seal = try row.optional("seal")
        sealedAt = try row.optional("sealed_at")
        evidence = try row.optional("evidence")
    }

    func hasFacts(of other: TestSession) -> Bool {
        name == other.name && format == other.format && paper == other.paper && templateID == other.templateID
            && mode == other.mode
            && startedAt == other.startedAt
            && (other.expectedResponses == nil || expectedResponses == other.expectedResponses)
    }
}

extension Recording {
    static let columns = "id, test_session_id, object_key, byte_count, sha256, media_type, stored_at"

    init(_ row: SQLRow) throws(StoreError) {
        self.init(
            id: try row.value("id"), session: try row.value("test_session_id"), key: try row.value("object_key"),
            byteCount: try row.value("byte_count"), sha256: try row.value("sha256"),
            mediaType: try row.value("media_type"))
        storedAt = try row.value("stored_at")
    }
}

extension TestResponse {
    /// SQL that is true for rows of `responses r` that readers other than the owner may get.
    static let isAssessed = "r.purpose = 'assessed'"

    /// The columns of `responses r`.
    static let columns = """
        r.id, r.test_session_id, r.record, r.question_id, r.audio_file_path, r.byte_count, r.sha256, r.media_type, r.peaks,
        r.processing_status, r.processing_order, r.fluency_score, r.pronunciation_score, r.grammar_score,
        r.vocabulary_score, r.topic_relevance_score, r.transcript, r.mistakes, r.upload_status, r.wav_file_path, r.azure_response, r.error_message,
        r.uploaded_at, r.evaluated_at
        """

    init(_ row: SQLRow) throws(StoreError) {
        guard let record: AnswerRecord = try row.json("record") else {
            throw StoreError(.unusable, "column record of the database is empty")
        }
        self.init(
            id: try row.value("id"), session: try row.value("test_session_id"), record: record,
            questionID: try row.optional("question_id"), path: try row.value("audio_file_path"),
            byteCount: try row.value("byte_count"), sha256: try row.value("sha256"),
            mediaType: try row.value("media_type"))
        peaks = try row.json("peaks")
        processing = try row.value("processing_status")
        processingOrder = try row.optional("processing_order")
        scores = try Scores(row)
        uploadStatus = try row.value("upload_status")
        transcript = try row.optional("transcript")
        mistakes = try row.json("mistakes")
        wavPath = try row.optional("wav_file_path")
        azureResponse = try row.optional("azure_response")
        error = try row.optional("error_message")
        uploadedAt = try row.optional("uploaded_at")
        evaluatedAt = try row.optional("evaluated_at")
    }

    /// The columns in the order of the statements that write them: the facts for searching and sorting, the record, and
    /// the recording's key.
    var facts: [(any SQLParameter)?] {
        get throws(StoreError) {
            [
                questionID, record.question, record.part, record.order, record.attempt,
                record.duration.map { Double($0.duration.milliseconds) / 1000 }, try JSONText(record), path, byteCount,
                sha256, mediaType, record.part * 100 + record.order, record.purpose.rawValue,
            ]
        }
    }

    func hasFacts(of other: TestResponse) -> Bool {
        session == other.session && record == other.record && questionID == other.questionID && path == other.path
            && byteCount == other.byteCount && sha256 == other.sha256 && mediaType == other.mediaType
    }
}

extension Submission {
    static let columns =
        "id, test_template_id, status, attempt_id, result, created_at, submitted_at, graded_at"

    init(_ row: SQLRow, answers: [String: String]) throws(StoreError) {
        id = try row.value("id")
        template = try row.optional("test_template_id")
        status = try Status(row)
        attempt = try row.optional("attempt_id")
        self.answers = answers.sorted { $0.key < $1.key }.map { SubmissionAnswer(question: $0.key, answer: $0.value) }
        result = try row.optional("result")
        createdAt = try row.value("created_at")
        submittedAt = try row.optional("submitted_at")
        gradedAt = try row.optional("graded_at")
    }
}

extension Submission.Status {
    init(_ row: SQLRow) throws(StoreError) {
        let word: String = try row.value("status")
        guard let status = Self(rawValue: word) else {
            throw StoreError(.unusable, "column status of the database holds something else")
        }
        self = status
    }
}

extension ResumableUpload {
    static let columns = "id, test_session_id, byte_length, byte_offset, metadata, object_key, expires_at"

    init(_ row: SQLRow) throws(StoreError) {
        self.init(
            id: try row.value("id"), session: try row.optional("test_session_id"),
            length: try row.optional("byte_length"), offset: try row.value("byte_offset"),
            metadata: try row.value("metadata"), key: try row.value("object_key"),
            expiresAt: try row.value("expires_at"))
    }
}

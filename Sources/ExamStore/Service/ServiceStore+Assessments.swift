public import Foundation

/// What assessors found in answers: kept once for each answer and version of the assessor, and never replaced.
///
/// ```
/// nothing ── begin ──▶ asked ── keep ──▶ known
///              ▲         │
///              └─────────┘ its worker died: asked again, with the next number
/// ```
/// Between an assessor's last word and `keep` a worker may die, and nobody knows whether it was asked: such a call is made again, with the
/// same key (`AssessmentRequest.key`). After `keep` it is never made again.
extension ServiceStore {
    /// Whether an assessor is to be asked about an answer now.
    public enum AssessmentBegin: Equatable, Sendable {
        /// Yes: for the first time, or again since an earlier call's findings were not kept.
        case ask(attempt: Int)
        /// It said so already.
        case known(ResponseResult)
        /// No: the worker of another job is asking it.
        case elsewhere
        /// No: the lease has run out and the job is somebody else's, or the answer was erased.
        case lost
    }

    /// Says that an assessor is about to be asked about an answer.
    ///
    /// - Parameter assessor: its version.
    public func beginAssessment(
        of response: UUID, by assessor: String, for job: Job
    ) async throws(StoreError) -> AssessmentBegin {
        try await write { connection in
            // The claim holds until the end of this transaction.
            guard
                try connection.first(
                    "SELECT 1 FROM processing_queue WHERE id = ? AND claim = ? AND status = 'processing' {lock}",
                    [job.id, job.claim]) != nil,
                try connection.first(
                    "SELECT 1 FROM responses WHERE id = ? AND test_session_id = ? {keep}", [response, job.session])
                    != nil
            else { return .lost }
            try connection.change(
                "INSERT INTO assessments (response_id, assessor) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [response, assessor])
            let row = try connection.first(
                """
                SELECT a.calls, a.result, EXISTS (
                  SELECT 1 FROM processing_queue q WHERE q.id = a.job_id AND q.id <> ? AND q.status = 'processing'
                    AND q.claimed_until >= {seconds}) AS busy
                FROM assessments a WHERE a.response_id = ? AND a.assessor = ? {lock}
                """, [job.id, response, assessor])!
            if let known: ResponseResult = try row.json("result") { return .known(known) }
            if try row.value("busy") { return .elsewhere }
            let calls: Int = try row.value("calls")
            try connection.change(
                """
                UPDATE assessments SET calls = calls + 1, job_id = ?, begun_at = {now}
                WHERE response_id = ? AND assessor = ?
                """, [job.id, response, assessor])
            return .ask(attempt: calls + 1)
        }
    }

    /// What a version of an assessor is known to have found in a session's answers, by the answers' ids.
    public func assessments(
        of session: UUID, by assessor: String
    ) async throws(StoreError) -> [UUID: ResponseResult] {
        try await read { connection in
            let rows = try connection.rows(
                """
                SELECT a.response_id, a.result FROM assessments a JOIN responses r ON r.id = a.response_id
                WHERE r.test_session_id = ? AND a.assessor = ? AND a.result IS NOT NULL
                """, [session, assessor])
            return try rows.reduce(into: [:]) { $0[try $1.value("response_id")] = try $1.json("result") }
        }
    }

    /// Keeps what an assessor found, and shows it with the answer. Whoever comes first is kept, whether the worker's lease still holds or
    /// not: the work is done.
    ///
    /// - Returns: what is kept: this, or what came before it; nil where the answer was erased.
    public func keep(_ result: ResponseResult, by assessor: String) async throws(StoreError) -> ResponseResult? {
        try await write { connection in
            guard try connection.first("SELECT 1 FROM responses WHERE id = ? {lock}", [result.response]) != nil else {
                return nil
            }
            var kept = result
            kept.peaks = nil  // The recording's, whoever assesses it.
            let isNew =
                try connection.change(
                    """
                    INSERT INTO assessments (response_id, assessor, result, assessed_at) VALUES (?, ?, ?, {now})
                    ON CONFLICT (response_id, assessor) DO UPDATE SET result = excluded.result,
                      assessed_at = excluded.assessed_at
                    WHERE assessments.result IS NULL
                    """, [result.response, assessor, try JSONText(kept)]) > 0
            guard isNew else {
                return try connection.first(
                    "SELECT result FROM assessments WHERE response_id = ? AND assessor = ?",
                    [result.response, assessor])!
                    .json("result")
            }
            try connection.change(
                """
                UPDATE responses SET fluency_score = ?, pronunciation_score = ?, grammar_score = ?, vocabulary_score = ?,
                  topic_relevance_score = ?, transcript = ?, mistakes = ?, azure_response = ?, wav_file_path = ?, error_message = ?,
                  peaks = COALESCE(?, peaks), processing_status = ?, evaluated_at = {now}
                WHERE id = ?
                """,
                result.scores.values + [
                    result.transcript, try JSONText(result.mistakes), try JSONText(result.azureResponse),
                    result.wavPath, result.error,
                    try JSONText(result.peaks), result.error == nil ? "completed" : "failed", result.response,
                ])
            return kept
        }
    }
}

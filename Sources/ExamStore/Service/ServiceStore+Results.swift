public import Foundation

extension ServiceStore {
    /// Keeps what a scorer found out, and the session is `evaluated`. What is nil stays empty. To write the same again is to have
    /// written it once; other findings replace those before, answer by answer.
    ///
    /// - Returns: false where there is no such session, or it is still being held.
    public func put(_ result: StoredResult, session: UUID) async throws(StoreError) -> Bool {
        try await write { connection in
            let scores = result.scores.values
            let changed = try connection.change(
                """
                UPDATE test_sessions SET status = 'evaluated', overall_band_score = ?, fluency_score = ?,
                  pronunciation_score = ?, grammar_score = ?, vocabulary_score = ?, topic_relevance_score = ?
                WHERE id = ? AND status <> 'in_progress'
                """, [result.overallBand] + scores + [session])
            guard changed > 0 else { return false }
            for response in result.responses { try connection.keep(response, session: session) }
            return true
        }
    }

    /// Keeps what a scorer found out about one answer, before the session's own results are there.
    ///
    /// - Returns: false where the session has no such answer.
    public func put(_ result: ResponseResult, session: UUID) async throws(StoreError) -> Bool {
        try await write { connection in try connection.keep(result, session: session) }
    }
}

extension SQLConnection {
    @discardableResult
    fileprivate func keep(_ result: ResponseResult, session: UUID) throws(StoreError) -> Bool {
        let status = result.error == nil ? "completed" : "failed"
        return try change(
            """
            UPDATE responses SET fluency_score = ?, pronunciation_score = ?, grammar_score = ?, vocabulary_score = ?,
              topic_relevance_score = ?, transcript = ?, azure_response = ?, wav_file_path = ?, error_message = ?, peaks = COALESCE(?, peaks),
              processing_status = ?, is_processed = ?, evaluated_at = {now}
            WHERE id = ? AND test_session_id = ?
            """,
            result.scores.values + [
                result.transcript, try JSONText(result.azureResponse), result.wavPath, result.error,
                try JSONText(result.peaks), status,
                result.error == nil, result.response, session,
            ]) > 0
    }
}

/// Findings on results. Existing derived columns are updated to their meaning.
extension Schema {
    static let results = [
        // The mistakes in an answer's transcript.
        "ALTER TABLE responses ADD COLUMN mistakes {json}",
        // An answer names its recording's object and its place in the exam.
        """
        UPDATE responses SET processing_order = part * 100 + question_order,
          audio_file_path = (SELECT object_key FROM recordings o WHERE o.id = responses.id)
        """,
        """
        UPDATE test_sessions SET
          completed_responses = (SELECT count(DISTINCT question) FROM responses r WHERE r.test_session_id = test_sessions.id),
          expected_responses = coalesce(expected_responses, answers)
        """,
        // Without an assessor nothing was assessed.
        """
        UPDATE test_sessions SET assessed_by = NULL, status = 'completed'
        WHERE assessed_by = 'none' AND overall_band_score IS NULL
        """,
    ]
}

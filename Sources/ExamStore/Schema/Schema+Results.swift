/// Mistakes in answers, and corrected values of columns that follow from others.
extension Schema {
    static let results = [
        // The mistakes in an answer's transcript.
        "ALTER TABLE responses ADD COLUMN mistakes {json}",
        // An answer's row contains its recording's object key and its place in the exam.
        """
        UPDATE responses SET processing_order = part * 100 + question_order,
          audio_file_path = (SELECT object_key FROM recordings o WHERE o.id = responses.id)
        """,
        """
        UPDATE test_sessions SET
          completed_responses = (SELECT count(DISTINCT question) FROM responses r WHERE r.test_session_id = test_sessions.id),
          expected_responses = coalesce(expected_responses, answers)
        """,
        // A session without an assessor was not assessed.
        """
        UPDATE test_sessions SET assessed_by = NULL, status = 'completed'
        WHERE assessed_by = 'none' AND overall_band_score IS NULL
        """,
    ]
}

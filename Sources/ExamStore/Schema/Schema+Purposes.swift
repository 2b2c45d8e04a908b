/// The purpose of each answer's question. Readers, markers and assessors get no introductions (`QuestionPurpose`).
extension Schema {
    /// The ids that introductions had before questions had a purpose. A released step never changes, so this is a copy
    /// of the ids at that time.
    private static let introductions = "'full-name', 'short-name', 'where-from', 'identity', 'introduce-yourself'"

    static let purposes = [
        "ALTER TABLE responses ADD COLUMN purpose TEXT NOT NULL DEFAULT 'assessed'",
        // Whether a machine's mark of the session waits for a person.
        "ALTER TABLE test_sessions ADD COLUMN is_held {bool} NOT NULL DEFAULT FALSE",
        // Hide earlier findings about introductions. Data that was sent to third parties stays in `assessments` and in
        // the learner's export.
        """
        UPDATE responses SET purpose = 'introduction', fluency_score = NULL, pronunciation_score = NULL,
          grammar_score = NULL, vocabulary_score = NULL, topic_relevance_score = NULL, transcript = NULL, mistakes = NULL,
          azure_response = NULL
        WHERE question IN (\(introductions))
        """,
        // Bands that are based on introductions are computed again, from the other answers.
        """
        UPDATE processing_queue SET status = 'pending', retry_count = 0, due = {seconds}, queued = {seconds}
        WHERE kind = 'evaluate' AND status = 'completed'
          AND test_session_id IN (SELECT test_session_id FROM responses WHERE purpose = 'introduction')
        """,
    ]
}

extension RowLevelSecurity {
    /// Policies for readers other than the learner, without introductions and their recordings.
    static let purposes = [
        "ALTER POLICY reader ON responses USING ((SELECT oracy_role()) <> '' AND purpose = 'assessed' "
            + "AND oracy_reads(test_session_id))",
        "ALTER POLICY reader ON recordings USING ((SELECT oracy_role()) IN ('teacher', 'marker') "
            + "AND oracy_reads(test_session_id) "
            + "AND EXISTS (SELECT 1 FROM responses r WHERE r.id = recordings.id AND r.purpose = 'assessed'))",
    ]
}

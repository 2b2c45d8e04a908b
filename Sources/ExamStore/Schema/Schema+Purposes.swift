/// What a question was asked for, of each answer: readers, markers and assessors get no introduction (`QuestionPurpose`).
extension Schema {
    /// The ids that introductions had before questions had a purpose. A released step never changes, so they stand here as they were then.
    private static let introductions = "'full-name', 'short-name', 'where-from', 'identity', 'introduce-yourself'"

    static let purposes = [
        "ALTER TABLE responses ADD COLUMN purpose TEXT NOT NULL DEFAULT 'assessed'",
        // Whether a machine's mark of it waits for a person.
        "ALTER TABLE test_sessions ADD COLUMN is_held {bool} NOT NULL DEFAULT FALSE",
        // What was made of introductions before is not shown any more. What third parties were sent stays in `assessments` and in the learner's export.
        """
        UPDATE responses SET purpose = 'introduction', fluency_score = NULL, pronunciation_score = NULL,
          grammar_score = NULL, vocabulary_score = NULL, topic_relevance_score = NULL, transcript = NULL, mistakes = NULL,
          azure_response = NULL
        WHERE question IN (\(introductions))
        """,
        // Bands that rest on them are made again, of what is left.
        """
        UPDATE processing_queue SET status = 'pending', retry_count = 0, due = {seconds}, queued = {seconds}
        WHERE kind = 'evaluate' AND status = 'completed'
          AND test_session_id IN (SELECT test_session_id FROM responses WHERE purpose = 'introduction')
        """,
    ]
}

extension RowLevelSecurity {
    /// Readers are others than the learner: their policies leave out introductions and their recordings.
    static let purposes = [
        "ALTER POLICY reader ON responses USING ((SELECT oracy_role()) <> '' AND purpose = 'assessed' "
            + "AND oracy_reads(test_session_id))",
        "ALTER POLICY reader ON recordings USING ((SELECT oracy_role()) IN ('teacher', 'marker') "
            + "AND oracy_reads(test_session_id) "
            + "AND EXISTS (SELECT 1 FROM responses r WHERE r.id = recordings.id AND r.purpose = 'assessed'))",
    ]
}

extension Schema {
    /// An answer's record in one column; beside it stay what rows are found and sorted by, and the reference's `duration_seconds`,
    /// which may be unknown from here on.
    static let records = [
        "ALTER TABLE responses ADD COLUMN record {json}",
        """
        UPDATE responses SET record = {json object}('question', question, 'part', part, 'order', question_order,
          'attempt', attempt, 'end', ended, 'duration', duration_seconds, 'speech', speech_seconds)
        """,
        "ALTER TABLE responses DROP COLUMN ended",
        "ALTER TABLE responses DROP COLUMN speech_seconds",
        "ALTER TABLE responses RENAME COLUMN duration_seconds TO earlier_duration",
        "ALTER TABLE responses ADD COLUMN duration_seconds {real}",
        "UPDATE responses SET duration_seconds = earlier_duration",
        "ALTER TABLE responses DROP COLUMN earlier_duration",
    ]
}

extension Schema {
    /// Puts an answer's record into one column. The columns for searching and sorting stay, and so does
    /// `duration_seconds`, which may be unknown from now on.
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

extension Schema {
    static let shares = [
        // The index finds when a job of a user was last claimed, which decides whose turn is next.
        "CREATE INDEX processing_queue_by_claim ON processing_queue (claimed_at)",
        // A learner's share of a day's budget; empty from the next day on.
        "ALTER TABLE assessor_spending ADD COLUMN user_id {uuid}",
        // Waiting jobs get today's number of attempts.
        "UPDATE processing_queue SET max_retries = 54 WHERE kind = 'evaluate' AND status <> 'completed'",
    ]
}

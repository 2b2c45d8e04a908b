extension Schema {
    static let shares = [
        // Whose turn it is goes by when a user's jobs were claimed last.
        "CREATE INDEX processing_queue_by_claim ON processing_queue (claimed_at)",
        // A learner's share of a day's budget; empty from the next day on.
        "ALTER TABLE assessor_spending ADD COLUMN user_id {uuid}",
        // What waits gets the tries that it has today.
        "UPDATE processing_queue SET max_retries = 54 WHERE kind = 'evaluate' AND status <> 'completed'",
    ]
}

extension Schema {
    static let webhooks = [
        // What a job needs to know beside its session: which event is told to whom.
        "ALTER TABLE processing_queue ADD COLUMN detail {json}"
    ]
}

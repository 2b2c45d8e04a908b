extension Schema {
    static let webhooks = [
        // The data that a job needs besides its session: the event and its endpoint.
        "ALTER TABLE processing_queue ADD COLUMN detail {json}"
    ]
}

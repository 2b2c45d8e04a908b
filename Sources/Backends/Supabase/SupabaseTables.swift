/// The rows written to a project's tables. A nil is left out of the request, so that the column keeps its default. The
/// request uses the columns' names: `userID` becomes `user_id`.
enum SupabaseTables {
    /// The row of a session.
    struct Session: Encodable {
        var id: String
        var userID: String
        var testTemplateID: String?
        var status = "in_progress"
        /// ISO 8601.
        var startedAt: String
    }

    /// The row of an answer.
    struct Response: Encodable {
        var id: String
        var testSessionID: String
        var questionID: String?
        var audioFilePath: String
        /// To the millisecond, or whole seconds: see `DurationColumn`.
        var durationSeconds: Double?
        /// Ascending in the order of asking: part × 100 + order.
        var processingOrder: Int
        var uploadStatus = "uploaded"
    }

    /// The columns that a later attempt changes in the row of an earlier one.
    struct NewerAttempt: Encodable {
        var audioFilePath: String
        var durationSeconds: Double?
        var uploadStatus = "uploaded"
    }

    struct Progress: Encodable {
        var completedResponses: Int
    }

    struct Completion: Encodable {
        var status = "completed"
        var completedAt: String
        var completedResponses: Int
        var expectedResponses: Int
        var allResponsesUploaded: Bool
    }

    struct QueueEntry: Encodable {
        var id: String
        /// The session's id under both of its names, since the table has both.
        var sessionID: String
        var testSessionID: String
        var status = "pending"
    }
}

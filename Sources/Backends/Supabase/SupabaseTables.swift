/// What is written into a project's tables (D4, D5, D6). A nil stays out of the request, and the column keeps its default.
/// In the request the names are those of the columns: `userID` is `user_id`.
enum SupabaseTables {
    /// D8 calls it CreateSessionRequest.
    struct Session: Encodable {
        var id: String
        var userID: String
        var testTemplateID: String?
        var status = "in_progress"
        /// ISO 8601.
        var startedAt: String
    }

    /// D8 calls it CreateResponseRequest.
    struct Response: Encodable {
        var id: String
        var testSessionID: String
        var questionID: String?
        var audioFilePath: String
        /// To the millisecond, or whole: `DurationColumn`.
        var durationSeconds: Double?
        /// Ascending in the order of asking: part × 100 + order.
        var processingOrder: Int
        var uploadStatus = "uploaded"
    }

    /// What a later attempt changes of the row of an earlier one.
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
        /// Both name the session; D6 has both.
        var sessionID: String
        var testSessionID: String
        var status = "pending"
    }
}

public import Foundation

/// Calls to services about answers. No call is made twice, exceeds a day's budget, or is made by two workers at a time.
///
/// ```
/// unknown ── begin ──▶ asked ── keep ──▶ answered
///              ▲         │
///              └─────────┘ its worker died, or there was no answer: begun again, with the same key
/// ```
extension ServiceStore {
    /// One request to a service about a candidate's answer.
    public struct Call: Hashable, Sendable {
        /// The answer's id.
        public var response: UUID
        /// The assessor's id and version.
        public var assessor: String
        public var version: String
        public var name: String

        public init(response: UUID, assessor: String, version: String, name: String) {
            self.response = response
            self.assessor = assessor
            self.version = version
            self.name = name
        }

        fileprivate var values: [any SQLParameter] { [response, assessor, version, name] }
    }

    /// The decision whether to make a call now.
    public enum CallBegin: Equatable, Sendable {
        case ask
        /// The service answered this call before. The value is its answer.
        case known(String)
        /// Another job's worker is making the call.
        case elsewhere
        /// The lease has ended and another worker has the job, or the answer was erased.
        case lost
        /// Today's budget does not suffice. The value is what was spent today.
        case spent(Spent)
    }

    /// The amounts spent today (UTC).
    public struct Spent: Equatable, Sendable {
        /// The seconds of sound for all users.
        public var seconds: Double
        /// The amount in the budget's unit for all users.
        public var cost: Double
        /// The same for the answer's learner.
        public var learnerSeconds: Double
        public var learnerCost: Double
    }

    /// Returns the answer to a call. Nil if it has no answer yet.
    public func answer(to call: Call) async throws(StoreError) -> String? {
        try await read { connection in
            try connection.first(
                """
                SELECT answer FROM assessor_calls WHERE response_id = ? AND assessor = ? AND version = ? AND name = ?
                """, call.values)?.optional("answer")
        }
    }

    /// Records that a call is about to be made, and takes its cost from today's budget.
    ///
    /// - Parameters:
    ///   - seconds: the seconds of sound that the call sends.
    ///   - cost: the cost of the call in the budget's unit.
    ///   - reaches: returns whether the budget, minus the amounts spent, suffices for the call. Called in the same
    ///     transaction.
    public func begin(
        _ call: Call, for job: Job, seconds: Double, cost: Double,
        reaches: @escaping @Sendable (Spent) -> Bool
    ) async throws(StoreError) -> CallBegin {
        try await write { connection in
            // Calls take from the budget one after the other.
            try connection.lockAllowance(of: Self.everybody)
            // The lock keeps the job's claim until the end of this transaction.
            guard
                try connection.first(
                    "SELECT 1 FROM processing_queue WHERE id = ? AND claim = ? AND status = 'processing' {lock}",
                    [job.id, job.claim]) != nil,
                try connection.first(
                    "SELECT 1 FROM responses WHERE id = ? AND test_session_id = ? {lock}", [call.response, job.session])
                    != nil
            else { return .lost }
            let before = try connection.first(
                """
                SELECT answer, EXISTS (
                  SELECT 1 FROM processing_queue q WHERE q.id = c.job_id AND q.id <> ? AND q.status = 'processing'
                    AND q.claimed_until >= {seconds}) AS busy
                FROM assessor_calls c WHERE response_id = ? AND assessor = ? AND version = ? AND name = ?
                """, [job.id] + call.values)
            if let answer: String = try before?.optional("answer") { return .known(answer) }
            if try before?.value("busy") ?? false { return .elsewhere }
            let learner: UUID = try connection.first(
                "SELECT user_id FROM test_sessions WHERE id = ?", [job.session])!.value("user_id")
            let today = try connection.first(
                """
                SELECT coalesce(sum(seconds), 0.0) AS seconds, coalesce(sum(cost), 0.0) AS cost,
                  coalesce(sum(CASE WHEN user_id = ? THEN seconds END), 0.0) AS own_seconds,
                  coalesce(sum(CASE WHEN user_id = ? THEN cost END), 0.0) AS own_cost
                FROM assessor_spending WHERE begun_at >= {today}
                """, [learner, learner])!
            let spent = Spent(
                seconds: try today.value("seconds"), cost: try today.value("cost"),
                learnerSeconds: try today.value("own_seconds"), learnerCost: try today.value("own_cost"))
            guard reaches(spent) else { return .spent(spent) }
            try connection.change(
                "INSERT INTO assessor_spending (assessor, begun_at, seconds, cost, user_id) VALUES (?, {now}, ?, ?, ?)",
                [call.assessor, seconds, cost, learner])
            try connection.change(
                """
                INSERT INTO assessor_calls (response_id, assessor, version, name, job_id, begun)
                VALUES (?, ?, ?, ?, ?, {seconds})
                ON CONFLICT (response_id, assessor, version, name) DO UPDATE SET job_id = excluded.job_id,
                  begun = excluded.begun
                """, call.values + [job.id])
            return .ask
        }
    }

    /// The id under which the store counts the day's budget of all users together.
    private static let everybody = UUID(uuidString: "00000000-0000-0000-0000-000000000000")!

    /// Removes the users from the spending of past days. Only the current day's shares need them.
    package func forgetSpenders() async throws(StoreError) {
        try await write { connection in
            _ = try connection.change(
                "UPDATE assessor_spending SET user_id = NULL WHERE user_id IS NOT NULL AND begun_at < {today}")
        }
    }

    /// Stores the answer to a call, even if the worker's lease has ended: the call may have been paid for. The first
    /// stored answer is kept.
    ///
    /// Does nothing if the candidate's answer was erased.
    public func keep(_ answer: String, to call: Call) async throws(StoreError) {
        try await write { connection in
            _ = try connection.change(
                """
                UPDATE assessor_calls SET answer = ?, answered_at = {now}
                WHERE response_id = ? AND assessor = ? AND version = ? AND name = ? AND answer IS NULL
                """, [answer] + call.values)
        }
    }

    /// Returns a service's answers to all calls of one assessor version about a candidate's answer, by the calls'
    /// names.
    public func answers(
        by assessor: String, version: String, about response: UUID
    ) async throws(StoreError) -> [String: String] {
        try await read { connection in
            let rows = try connection.rows(
                """
                SELECT name, answer FROM assessor_calls
                WHERE response_id = ? AND assessor = ? AND version = ? AND answer IS NOT NULL
                """, [response, assessor, version])
            return try rows.reduce(into: [:]) { $0[try $1.value("name")] = try $1.value("answer") as String }
        }
    }

    // MARK: Shown results

    /// Shows the results so far in the answer's row. Nil values are unknown and clear their columns, except for the
    /// peaks, which stay.
    ///
    /// - Parameter isDone: whether all assessors are done. Otherwise more results will follow.
    public func show(_ result: ResponseResult, isDone: Bool) async throws(StoreError) {
        try await write { connection in
            guard try connection.note(.answer, ofResponse: result.response) else { return }
            let status = result.error == nil ? (isDone ? "completed" : "processing") : "failed"
            try connection.change(
                """
                UPDATE responses SET fluency_score = ?, pronunciation_score = ?, grammar_score = ?, vocabulary_score = ?,
                  topic_relevance_score = ?, transcript = ?, mistakes = ?, azure_response = ?, wav_file_path = ?, error_message = ?,
                  peaks = COALESCE(?, peaks), processing_status = ?, evaluated_at = {now}
                WHERE id = ?
                """,
                result.scores.values + [
                    result.transcript, try JSONText(result.mistakes), try JSONText(result.azureResponse),
                    result.wavPath, result.error, try JSONText(result.peaks), status, result.response,
                ])
        }
    }
}

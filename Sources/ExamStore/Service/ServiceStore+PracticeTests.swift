import Foundation

/// Practice tests that are being written or graded, each by one worker at a time.
extension ServiceStore {
    /// Claims the next test that waits in a state, or whose worker's lease ended. Nil if no test is waiting.
    ///
    /// - Parameter state: `generating` or `submitted`.
    public func claimTest(_ state: StoredTest.State, seconds: Double) async throws(StoreError) -> TestClaim? {
        try await write { connection in
            let worker = UUID()
            // The state is not a parameter: PostgreSQL uses a partial index only if the statement contains the state.
            return try connection.first(
                """
                UPDATE practice_tests SET worker = ?, until = {seconds} + ? WHERE id = (
                  SELECT id FROM practice_tests WHERE state = '\(state.rawValue)' AND (until IS NULL OR until <= {seconds})
                  ORDER BY created_at LIMIT 1 {skip locked})
                RETURNING user_id, \(StoredTest.columns)
                """, [worker, seconds]
            ).map { TestClaim(test: try StoredTest($0), user: try $0.value("user_id"), worker: worker) }
        }
    }

    /// Stores the progress of writing, and extends the lease.
    ///
    /// - Returns: false if another worker has the test, or it was erased. Then the worker must stop.
    public func keep(_ claim: TestClaim, document: String, seconds: Double) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change(
                "UPDATE practice_tests SET document = ?, until = {seconds} + ? WHERE id = ? AND worker = ?",
                [document, seconds, claim.test.id, claim.worker]) > 0
        }
    }

    /// Stores a test that was written or has failed.
    public func finish(_ claim: TestClaim, _ test: StoredTest) async throws(StoreError) {
        try await write { connection in
            _ = try connection.change(
                """
                UPDATE practice_tests SET state = ?, document = ?, worker = NULL, until = NULL WHERE id = ? AND worker = ?
                """, [test.state.rawValue, test.document, claim.test.id, claim.worker])
        }
    }

    /// Stores a grade together with its line in the user's practice log, both or neither, and wakes callers that wait
    /// for it.
    ///
    /// - Parameter result: the grader's JSON.
    /// - Returns: false if the lease had ended and another worker graded it, or it was erased. Then nothing is stored.
    public func grade(_ claim: TestClaim, result: String, line: String) async throws(StoreError) -> Bool {
        try await write { connection in
            let id = claim.test.id
            // In the same order as all other transactions.
            _ = try connection.first("SELECT 1 FROM submissions WHERE id = ? {lock}", [id])
            let graded = try connection.change(
                """
                UPDATE practice_tests SET state = 'graded', worker = NULL, until = NULL
                WHERE id = ? AND worker = ? AND state = 'submitted'
                """, [id, claim.worker])
            guard graded > 0 else { return false }
            try connection.change(
                "UPDATE submissions SET status = 'graded', result = ?, graded_at = {now} WHERE id = ?",
                [try JSONText(result), id])
            try connection.append(practiceLine: line, of: claim.user)
            try connection.announce(id)
            return true
        }
    }

    /// Returns a test to the queue, for another worker at once or for any worker after a delay.
    public func giveBack(_ claim: TestClaim, after seconds: Double? = nil) async throws(StoreError) {
        try await write { connection in
            let changed = try connection.change(
                "UPDATE practice_tests SET worker = NULL, until = {seconds} + ? WHERE id = ? AND worker = ?",
                [seconds ?? 0, claim.test.id, claim.worker])
            if changed > 0, seconds == nil { try connection.announceJobs() }
        }
    }
}

extension SQLConnection {
    /// Appends a line to a user's practice log, even if others append at the same time.
    func append(practiceLine line: String, of user: UUID) throws(StoreError) {
        while true {
            let last: Int = try first(
                "SELECT coalesce(max(number), 0) AS number FROM practice_lines WHERE user_id = ?", [user])!
                .value("number")
            if try append(practiceLine: line, number: last + 1, of: user) { return }
        }
    }
}

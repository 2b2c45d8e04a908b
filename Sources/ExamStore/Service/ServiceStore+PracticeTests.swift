import Foundation

/// Practice tests that are written or graded: each by one worker at a time.
extension ServiceStore {
    /// The next one that waits in a state, or whose worker's lease ran out; nil where there is none.
    ///
    /// - Parameter state: `generating` or `submitted`.
    public func claimTest(_ state: StoredTest.State, seconds: Double) async throws(StoreError) -> TestClaim? {
        try await write { connection in
            let worker = UUID()
            // The state is no parameter: the index of some states alone fits a statement that says which.
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

    /// Keeps how far its writing is, and the lease for longer.
    ///
    /// - Returns: false where it is somebody else's, or was erased: the worker must stop.
    public func keep(_ claim: TestClaim, document: String, seconds: Double) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change(
                "UPDATE practice_tests SET document = ?, until = {seconds} + ? WHERE id = ? AND worker = ?",
                [document, seconds, claim.test.id, claim.worker]) > 0
        }
    }

    /// It is written, or cannot be.
    public func finish(_ claim: TestClaim, _ test: StoredTest) async throws(StoreError) {
        try await write { connection in
            _ = try connection.change(
                """
                UPDATE practice_tests SET state = ?, document = ?, worker = NULL, until = NULL WHERE id = ? AND worker = ?
                """, [test.state.rawValue, test.document, claim.test.id, claim.worker])
        }
    }

    /// It is graded: with the line of its user's practice log that says so, all or nothing; whoever waits for it is told.
    ///
    /// - Parameter result: JSON of the grader's.
    /// - Returns: false where the lease had run out and another worker graded it, or it was erased: nothing was kept.
    public func grade(_ claim: TestClaim, result: String, line: String) async throws(StoreError) -> Bool {
        try await write { connection in
            let id = claim.test.id
            // In the order in which all others take them.
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

    /// Gives it back: for another worker at once, or for any after a while.
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
    /// Appends a line at the end of a user's practice log, whoever else appends meanwhile.
    func append(practiceLine line: String, of user: UUID) throws(StoreError) {
        while true {
            let last: Int = try first(
                "SELECT coalesce(max(number), 0) AS number FROM practice_lines WHERE user_id = ?", [user])!
                .value("number")
            if try append(practiceLine: line, number: last + 1, of: user) { return }
        }
    }
}

public import Foundation

extension OwnedStore {
    /// Returns this user's practice tests, newest first.
    public func practiceTests(limit: Int) async throws(StoreError) -> [StoredTest] {
        let user = user
        return try await read { connection in
            try connection.rows(
                "SELECT \(StoredTest.columns) FROM practice_tests WHERE user_id = ? ORDER BY created_at DESC, id LIMIT ?",
                [user, limit]
            ).map(StoredTest.init)
        }
    }

    /// Returns a practice test. Nil if this user has none with this id.
    public func practiceTest(_ id: UUID) async throws(StoreError) -> StoredTest? {
        let user = user
        return try await read { connection in try connection.practiceTest(id, of: user) }
    }

    /// Stores a test together with its submission, which receives the answers. The worker that claims a `generating`
    /// test writes it.
    ///
    /// - Parameters:
    ///   - most: the maximum number of a user's tests.
    ///   - mostWritten: the maximum number of tests that a model began to write today.
    /// - Returns: why the test was refused. Nil if it was stored.
    public func add(_ test: StoredTest, most: Int, mostWritten: Int) async throws(StoreError) -> TestRefusal? {
        let user = user
        return try await write { connection in
            try connection.lockAllowance(of: user)
            try connection.change(
                "INSERT INTO submissions (id, user_id, created_at) VALUES (?, ?, {now})", [test.id, user])
            try connection.change(
                """
                INSERT INTO practice_tests (id, user_id, state, by_model, document, created_at) VALUES (?, ?, ?, ?, ?, {now})
                """, [test.id, user, test.state.rawValue, test.isByModel, test.document])
            let row = try connection.first(
                """
                SELECT (SELECT count(*) FROM practice_tests WHERE user_id = ?) AS tests,
                  (SELECT count(*) FROM practice_tests WHERE user_id = ? AND by_model AND created_at >= {today}) AS written
                """, [user, user])!
            let (all, written): (Int, Int) = (try row.value("tests"), try row.value("written"))
            let refusal: TestRefusal? = all > most ? .tests : test.isByModel && written > mostWritten ? .written : nil
            if refusal != nil { try connection.change("DELETE FROM submissions WHERE id = ?", [test.id]) }
            if refusal == nil, test.state == .generating { try connection.announceJobs() }
            return refusal
        }
    }

    /// Changes a test in one transaction. Concurrent changes wait.
    ///
    /// - Parameter change: takes the current test and returns the one to store. Nil leaves it unchanged. It may be
    ///   called more than once.
    /// - Returns: nil if this user has no such test.
    public func change<Outcome: Sendable>(
        practiceTest id: UUID, _ change: @escaping @Sendable (StoredTest) -> (kept: StoredTest?, outcome: Outcome)
    ) async throws(StoreError) -> Outcome? {
        let user = user
        return try await write { connection in
            guard let test = try connection.practiceTest(id, of: user, isLocked: true) else { return nil }
            let (kept, outcome) = change(test)
            if let kept { try connection.keep(kept) }
            // Wake the workers again: those that looked for work meanwhile skipped the locked row.
            if [.generating, .submitted].contains((kept ?? test).state) { try connection.announceJobs() }
            return outcome
        }
    }

    /// Erases a practice test.
    ///
    /// - Returns: false if this user has none with this id.
    public func erasePracticeTest(_ id: UUID) async throws(StoreError) -> Bool {
        let user = user
        return try await write { connection in
            guard try connection.practiceTest(id, of: user) != nil else { return false }
            let erased = try connection.change("DELETE FROM submissions WHERE id = ? AND user_id = ?", [id, user])
            // Wakes callers that wait for its result.
            try connection.announce(id)
            return erased > 0
        }
    }
}

extension SQLConnection {
    /// Returns a practice test. Nil if that user has none with this id.
    ///
    /// - Parameter isLocked: whether to lock the row until the end of the transaction.
    func practiceTest(_ id: UUID, of user: UUID, isLocked: Bool = false) throws(StoreError) -> StoredTest? {
        try first(
            "SELECT \(StoredTest.columns) FROM practice_tests WHERE id = ? AND user_id = ? \(isLocked ? "{lock}" : "")",
            [id, user]
        ).map { (row) throws(StoreError) in try StoredTest(row) }
    }

    /// Stores the changeable parts of a test and ends any worker's claim to it.
    func keep(_ test: StoredTest) throws(StoreError) {
        try change(
            """
            UPDATE practice_tests SET state = ?, document = ?, utc_offset = ?, worker = NULL, until = NULL WHERE id = ?
            """, [test.state.rawValue, test.document, test.offset, test.id])
    }
}

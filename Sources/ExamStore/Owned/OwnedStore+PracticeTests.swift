public import Foundation

extension OwnedStore {
    /// The newest first.
    public func practiceTests(limit: Int) async throws(StoreError) -> [StoredTest] {
        let user = user
        return try await read { connection in
            try connection.rows(
                "SELECT \(StoredTest.columns) FROM practice_tests WHERE user_id = ? ORDER BY created_at DESC, id LIMIT ?",
                [user, limit]
            ).map(StoredTest.init)
        }
    }

    /// nil where this user has none with this id.
    public func practiceTest(_ id: UUID) async throws(StoreError) -> StoredTest? {
        let user = user
        return try await read { connection in try connection.practiceTest(id, of: user) }
    }

    /// Keeps a test, with the submission that it is handed in as; one that is `generating` is written by whoever claims it.
    ///
    /// - Parameters:
    ///   - most: of a user's tests.
    ///   - mostWritten: of those that a model wrote, begun today.
    /// - Returns: nil where it is kept.
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

    /// Changes a test in one transaction: whoever else changes it waits.
    ///
    /// - Parameter change: gets it as it is, and gives back what is to be kept, nil where it stays as it is. It may be run more than once.
    /// - Returns: nil where this user has no such test.
    public func change<Outcome: Sendable>(
        practiceTest id: UUID, _ change: @escaping @Sendable (StoredTest) -> (kept: StoredTest?, outcome: Outcome)
    ) async throws(StoreError) -> Outcome? {
        let user = user
        return try await write { connection in
            guard let test = try connection.practiceTest(id, of: user, isLocked: true) else { return nil }
            let (kept, outcome) = change(test)
            if let kept { try connection.keep(kept) }
            // Whoever looked for something to do meanwhile passed over what was locked.
            if [.generating, .submitted].contains((kept ?? test).state) { try connection.announceJobs() }
            return outcome
        }
    }

    /// - Returns: false where this user has none with this id.
    public func erasePracticeTest(_ id: UUID) async throws(StoreError) -> Bool {
        let user = user
        return try await write { connection in
            guard try connection.practiceTest(id, of: user) != nil else { return false }
            let erased = try connection.change("DELETE FROM submissions WHERE id = ? AND user_id = ?", [id, user])
            // Whoever waits for its result.
            try connection.announce(id)
            return erased > 0
        }
    }
}

extension SQLConnection {
    /// nil where that user has none with this id.
    ///
    /// - Parameter isLocked: it stays as it is for others until the end of the transaction.
    func practiceTest(_ id: UUID, of user: UUID, isLocked: Bool = false) throws(StoreError) -> StoredTest? {
        try first(
            "SELECT \(StoredTest.columns) FROM practice_tests WHERE id = ? AND user_id = ? \(isLocked ? "{lock}" : "")",
            [id, user]
        ).map { (row) throws(StoreError) in try StoredTest(row) }
    }

    /// Keeps what may change of a test; nobody's claim of it holds any longer.
    func keep(_ test: StoredTest) throws(StoreError) {
        try change(
            """
            UPDATE practice_tests SET state = ?, document = ?, utc_offset = ?, worker = NULL, until = NULL WHERE id = ?
            """, [test.state.rawValue, test.document, test.offset, test.id])
    }
}

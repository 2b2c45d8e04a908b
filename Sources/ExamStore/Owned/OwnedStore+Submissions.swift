public import Foundation

extension OwnedStore {
    /// Opens a submission for answers.
    ///
    /// - Returns: `same` if it is already open, even if it has answers; `parentMissing` if there is no such template.
    /// - Throws: `full`.
    public func openSubmission(
        _ id: UUID, template: UUID? = nil, within allowance: Allowance = .any
    ) async throws(StoreError) -> UpsertResult {
        let user = user
        return try await write { connection in
            if let template, try connection.first("SELECT 1 FROM test_templates WHERE id = ?", [template]) == nil {
                return .parentMissing
            }
            if try connection.first("SELECT 1 FROM submissions WHERE id = ?", [id]) == nil {
                try connection.take(of: user, within: allowance, count: 1)
            }
            let made = try connection.change(
                """
                INSERT INTO submissions (id, user_id, test_template_id, created_at) VALUES (?, ?, ?, {now})
                ON CONFLICT (id) DO NOTHING
                """, [id, user, template])
            if made > 0 { return .created }
            let there = try connection.first("SELECT 1 FROM submissions WHERE id = ? AND user_id = ?", [id, user])
            return there == nil ? .refused : .same
        }
    }

    /// Returns a submission. Nil if this user has none with this id.
    public func submission(_ id: UUID) async throws(StoreError) -> Submission? {
        let user = user
        return try await read { connection in
            guard
                let row = try connection.first(
                    "SELECT \(Submission.columns) FROM submissions WHERE id = ? AND user_id = ?", [id, user])
            else { return nil }
            return try Submission(row, answers: HandingIn(batches: try Self.batches(of: id, connection)).all)
        }
    }

    /// Returns a submission's progress. Nil if this user has none with this id.
    public func standing(ofSubmission id: UUID) async throws(StoreError) -> SubmissionStanding? {
        let user = user
        return try await read { connection in
            try connection.first(
                "SELECT status, attempt_id, result FROM submissions WHERE id = ? AND user_id = ?", [id, user]
            ).map { row in
                SubmissionStanding(
                    status: try Submission.Status(row), attempt: try row.optional("attempt_id"),
                    result: try row.optional("result"))
            }
        }
    }

    /// Takes answers, either all at once or in batches in any order (`HandingIn`). Accepted answers never change.
    ///
    /// - Parameters:
    ///   - finishing: makes the finished test from a practice test and all its answers. Returns nil if the test cannot
    ///     be handed in. The worker that claims the test afterwards grades it.
    ///   - grading: grades any other submission from all its answers. Returns the result as JSON, or nil if it cannot
    ///     be graded here. Then it stays submitted.
    /// - Throws: `invalid` if the batch's number is out of range, or the batch answers a question twice.
    public func submit(
        _ id: UUID, _ batch: SubmissionBatch,
        finishing: @escaping @Sendable (StoredTest, [SubmissionAnswer]) -> StoredTest? = { _, _ in nil },
        grading: @escaping @Sendable ([SubmissionAnswer]) -> String? = { _ in nil }
    ) async throws(StoreError) -> Submitted {
        let answers = Dictionary(batch.answers.map { ($0.question, $0.answer) }, uniquingKeysWith: { a, _ in a })
        guard batch.of >= 1, (1...batch.of).contains(batch.number), answers.count == batch.answers.count else {
            throw StoreError(.invalid, "a batch of answers does not count right")
        }
        let user = user
        return try await write { connection in
            // Concurrent submissions wait until the end of this transaction.
            guard
                let row = try connection.first(
                    "SELECT attempt_id, batches FROM submissions WHERE id = ? AND user_id = ? {lock}", [id, user])
            else { return .missing }
            var handed = HandingIn(count: try row.optional("batches"), batches: try Self.batches(of: id, connection))
            let attempt: UUID = try row.optional("attempt_id") ?? UUID()
            switch handed.take(batch.number, of: batch.of, answers) {
            case .refused(let conflict): return .conflict(conflict)
            case .repeated: return .repeated(attempt: attempt, isWhole: handed.isWhole)
            case .accepted: break
            }
            let all = handed.all.map { SubmissionAnswer(question: $0.key, answer: $0.value) }
            // Concurrent requests saved their answers before this lock, or are too late.
            let test = try connection.practiceTest(id, of: user, isLocked: true)
            if let test {
                guard test.state == .inProgress else { return .conflict(.notInProgress) }
                if handed.isWhole {
                    guard let finished = finishing(test, all) else { return .conflict(.notInProgress) }
                    try connection.keep(finished)
                    try connection.announceJobs()
                }
            }
            try connection.change(
                "INSERT INTO submission_batches (submission_id, batch) VALUES (?, ?)", [id, batch.number])
            for (question, answer) in answers {
                try connection.change(
                    "INSERT INTO submission_answers (submission_id, batch, question, answer) VALUES (?, ?, ?, ?)",
                    [id, batch.number, question, answer])
            }
            try connection.change(
                "UPDATE submissions SET attempt_id = ?, batches = ? WHERE id = ?", [attempt, batch.of, id])
            if handed.isWhole {
                try connection.change(
                    "UPDATE submissions SET status = 'submitted', submitted_at = {now} WHERE id = ?", [id])
                // A worker grades a practice test. Any other submission ends here.
                if test == nil {
                    if let result = grading(all) {
                        try connection.change(
                            "UPDATE submissions SET status = 'graded', result = ?, graded_at = {now} WHERE id = ?",
                            [try JSONText(result), id])
                    }
                    try connection.announce(id)
                }
            }
            return .accepted(attempt: attempt, isWhole: handed.isWhole)
        }
    }

    /// Returns the stored batches by number, each with its answers by question.
    private static func batches(of id: UUID, _ connection: any SQLConnection) throws -> [Int: [String: String]] {
        var batches: [Int: [String: String]] = [:]
        for row in try connection.rows("SELECT batch FROM submission_batches WHERE submission_id = ?", [id]) {
            batches[try row.value("batch")] = [:]
        }
        for row in try connection.rows(
            "SELECT batch, question, answer FROM submission_answers WHERE submission_id = ?", [id])
        {
            let (batch, question, answer): (Int, String, String) = (
                try row.value("batch"), try row.value("question"), try row.value("answer")
            )
            batches[batch, default: [:]][question] = answer
        }
        return batches
    }
}

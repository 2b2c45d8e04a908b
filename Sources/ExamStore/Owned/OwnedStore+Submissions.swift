public import Foundation

extension OwnedStore {
    /// Opens a submission that answers can be handed in to.
    ///
    /// - Returns: `same` where it is open already, whatever was handed in; `parentMissing` where there is no such template.
    public func openSubmission(_ id: UUID, template: UUID? = nil) async throws(StoreError) -> Written {
        let user = user
        return try await write { connection in
            if let template, try connection.first("SELECT 1 FROM test_templates WHERE id = ?", [template]) == nil {
                return .parentMissing
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

    /// nil where this user has none with this id.
    public func submission(_ id: UUID) async throws(StoreError) -> Submission? {
        let user = user
        return try await read { connection in
            guard
                let row = try connection.first(
                    "SELECT \(Submission.columns) FROM submissions WHERE id = ? AND user_id = ?", [id, user])
            else { return nil }
            // A question that stands in two batches has the same answer in both.
            let answers = try Self.batches(of: id, connection).values.reduce(into: [:]) { all, batch in
                all.merge(batch) { first, _ in first }
            }
            return try Submission(row, answers: answers)
        }
    }

    /// Hands in answers: all at once, or batch by batch in any order. What was handed in whole is never changed.
    ///
    /// Until then a batch that comes again with other answers replaces what it was, and one that counts batches otherwise
    /// replaces all that came before.
    ///
    /// - Returns: `conflict` where a question has another answer in another batch, or other answers were handed in.
    /// - Throws: `invalid` where the batch's number is not one of those there are, or a question is answered twice in it.
    public func submit(_ id: UUID, _ batch: SubmissionBatch) async throws(StoreError) -> Submitted {
        let answers = Dictionary(batch.answers.map { ($0.question, $0.answer) }, uniquingKeysWith: { a, _ in a })
        guard batch.of >= 1, (1...batch.of).contains(batch.number), answers.count == batch.answers.count else {
            throw StoreError(.invalid, "a batch of answers does not count right")
        }
        let user = user
        return try await write { connection in
            guard
                let row = try connection.first(
                    "SELECT status, attempt_id, batches FROM submissions WHERE id = ? AND user_id = ? {lock}",
                    [id, user])
            else { return .missing }
            let status: String = try row.value("status")
            let isOpen = status == Submission.Status.inProgress.rawValue
            let countsAlike = try row.optional("batches") == batch.of
            let there = try Self.batches(of: id, connection)

            let attempt: UUID? = try row.optional("attempt_id")
            if let attempt {
                // All in one, after all came one by one, is a repetition too.
                let all = there.values.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
                if countsAlike ? there[batch.number] == answers : !isOpen && batch.of == 1 && all == answers {
                    return .repeated(attempt: attempt)
                }
            }
            guard isOpen else { return .conflict }

            // Its answers go with a batch (ON DELETE CASCADE).
            let others = countsAlike ? there.filter { $0.key != batch.number } : [:]
            for other in others.values where answers.contains(where: { (other[$0.key] ?? $0.value) != $0.value }) {
                return .conflict
            }
            for number in there.keys where others[number] == nil {
                try connection.change(
                    "DELETE FROM submission_batches WHERE submission_id = ? AND batch = ?", [id, number])
            }
            try connection.change(
                "INSERT INTO submission_batches (submission_id, batch) VALUES (?, ?)", [id, batch.number])
            for (question, answer) in answers {
                try connection.change(
                    "INSERT INTO submission_answers (submission_id, batch, question, answer) VALUES (?, ?, ?, ?)",
                    [id, batch.number, question, answer])
            }
            let isWhole = others.count + 1 == batch.of
            let made = attempt ?? UUID()
            try connection.change(
                "UPDATE submissions SET attempt_id = ?, batches = ? WHERE id = ?", [made, batch.of, id])
            if isWhole {
                try connection.change(
                    "UPDATE submissions SET status = 'submitted', submitted_at = {now} WHERE id = ?", [id])
            }
            return .accepted(attempt: made, isWhole: isWhole)
        }
    }

    /// What is here: by batch, the answers by question.
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

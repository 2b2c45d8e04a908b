public import Foundation

extension OwnedStore {
    /// Returns the lines of a practice log after a known line.
    ///
    /// - Parameters:
    ///   - number: the number of the last known line. 0 if none is known.
    ///   - known: the line's text. Nil if `number` is 0.
    ///   - limit: the maximum number of lines returned. The next call returns more.
    /// - Returns: nil if the log no longer has that line, because it was erased.
    public func practiceLines(
        after number: Int, knowing known: String?, limit: Int
    ) async throws(StoreError) -> [NumberedLine]? {
        let user = user
        return try await read { connection in
            let lines = try connection.rows(
                "SELECT number, line FROM practice_lines WHERE user_id = ? AND number >= ? ORDER BY number LIMIT ?",
                [user, number, limit + 1]
            ).map { NumberedLine(number: try $0.value("number"), text: try $0.value("line")) }
            guard number > 0 else { return Array(lines.prefix(limit)) }
            guard lines.first == known.map({ NumberedLine(number: number, text: $0) }) else { return nil }
            return Array(lines.dropFirst())
        }
    }

    /// Appends lines to a practice log, all or none.
    ///
    /// - Parameters:
    ///   - number: the number of the last known line. 0 if none is known.
    ///   - known: the line's text. Nil if `number` is 0.
    /// - Returns: false if there are newer lines, or the log was erased. Read it and try again.
    public func append(
        practiceLines lines: [String], after number: Int, knowing known: String?
    ) async throws(StoreError) -> Bool {
        let user = user
        return try await write { connection in
            if number > 0 {
                let last: String? = try connection.first(
                    "SELECT line FROM practice_lines WHERE user_id = ? AND number = ?", [user, number])?.value("line")
                guard last == known else { return false }
            }
            for (place, line) in lines.enumerated() {
                let isOurs = try connection.append(practiceLine: line, number: number + 1 + place, of: user)
                // The transaction that inserts the first of these numbers also inserts the others.
                guard isOurs else { return false }
            }
            return true
        }
    }

    /// Erases all of a user's practice: the log, tests, answers to tests, and tasks.
    public func erasePractice() async throws(StoreError) {
        let user = user
        try await write { connection in
            try connection.change("DELETE FROM practice_lines WHERE user_id = ?", [user])
            try connection.change(
                "DELETE FROM submissions WHERE id IN (SELECT id FROM practice_tests WHERE user_id = ?)", [user])
            try connection.change("DELETE FROM practice_boards WHERE user_id = ?", [user])
            _ = try connection.change("DELETE FROM practice_tasks WHERE user_id = ?", [user])
        }
    }

    // MARK: - Tasks

    /// Returns this user's tasks, newest first.
    public func practiceTasks(limit: Int) async throws(StoreError) -> [StoredTask] {
        let user = user
        return try await read { connection in
            try connection.rows(
                "SELECT \(StoredTask.columns) FROM practice_tasks WHERE user_id = ? ORDER BY created_at DESC, id LIMIT ?",
                [user, limit]
            ).map(StoredTask.init)
        }
    }

    /// Stores a task.
    ///
    /// - Returns: false if there are already `most` tasks.
    public func add(_ task: StoredTask, most: Int) async throws(StoreError) -> Bool {
        let user = user
        return try await write { connection in
            try connection.lockAllowance(of: user)
            try connection.change(
                """
                INSERT INTO practice_tasks (id, user_id, title, due, is_complete, created_at) VALUES (?, ?, ?, ?, ?, {now})
                """, [task.id, user, task.title, task.due, task.isComplete])
            let count: Int = try connection.first(
                "SELECT count(*) AS count FROM practice_tasks WHERE user_id = ?", [user])!.value("count")
            if count > most { try connection.change("DELETE FROM practice_tasks WHERE id = ?", [task.id]) }
            return count <= most
        }
    }

    /// Sets whether a task is complete.
    ///
    /// - Returns: false if this user has none with this id.
    public func mark(practiceTask id: UUID, isComplete: Bool) async throws(StoreError) -> Bool {
        let user = user
        return try await write { connection in
            try connection.change(
                "UPDATE practice_tasks SET is_complete = ? WHERE id = ? AND user_id = ?", [isComplete, id, user]) > 0
        }
    }

    /// Erases a task.
    ///
    /// - Returns: false if this user has none with this id.
    public func erasePracticeTask(_ id: UUID) async throws(StoreError) -> Bool {
        let user = user
        return try await write { connection in
            try connection.change("DELETE FROM practice_tasks WHERE id = ? AND user_id = ?", [id, user]) > 0
        }
    }
}

extension SQLConnection {
    /// Appends a line.
    ///
    /// - Returns: false if there is already a line with this number.
    func append(practiceLine line: String, number: Int, of user: UUID) throws(StoreError) -> Bool {
        try change(
            "INSERT INTO practice_lines (user_id, number, line) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [user, number, line]) > 0
    }
}

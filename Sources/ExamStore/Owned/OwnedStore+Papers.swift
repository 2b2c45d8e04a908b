public import Foundation

extension OwnedStore {
    /// Returns this user's papers, newest first.
    public func papers(limit: Int) async throws(StoreError) -> [OwnPaper] {
        let user = user
        return try await read { connection in
            try connection.rows(
                "SELECT \(OwnPaper.columns) FROM papers WHERE user_id = ? ORDER BY created_at DESC, id LIMIT ?",
                [user, limit]
            ).map(OwnPaper.init)
        }
    }

    /// Returns a paper. Nil if this user has none with this id.
    public func paper(_ id: UUID) async throws(StoreError) -> OwnPaper? {
        let user = user
        return try await read { connection in
            try connection.first("SELECT \(OwnPaper.columns) FROM papers WHERE id = ? AND user_id = ?", [id, user])
                .map(OwnPaper.init)
        }
    }

    /// Stores a paper unless that exceeds a limit. If it has no contents yet, the worker that claims it writes it.
    ///
    /// - Parameters:
    ///   - most: the maximum number of a user's papers.
    ///   - mostWritten: the maximum number of papers that a model began to write today.
    /// - Returns: false if a limit is reached.
    public func add(_ paper: OwnPaper, most: Int, mostWritten: Int) async throws(StoreError) -> Bool {
        let user = user
        return try await write { connection in
            // Without the lock, two concurrent requests could both add the last allowed paper.
            try connection.lockAllowance(of: user)
            try connection.change(
                """
                INSERT INTO papers (id, user_id, format, title, request, by_model, writing, paper, shortfalls, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, {now})
                """,
                [
                    paper.id, user, paper.format, paper.title, paper.request, paper.isByModel, paper.writing,
                    paper.paper, paper.shortfalls,
                ])
            let row = try connection.first(
                """
                SELECT (SELECT count(*) FROM papers WHERE user_id = ?) AS papers,
                  (SELECT count(*) FROM papers WHERE user_id = ? AND by_model AND created_at >= {today}) AS written
                """, [user, user])!
            let (all, written): (Int, Int) = (try row.value("papers"), try row.value("written"))
            guard all <= most, !paper.isByModel || written <= mostWritten else {
                try connection.change("DELETE FROM papers WHERE id = ?", [paper.id])
                return false
            }
            if paper.state == .writing { try connection.announceJobs() }
            return true
        }
    }

    /// Continues writing a failed paper. Written questions are kept.
    ///
    /// - Returns: false if there is no failed paper with this id.
    public func retryPaper(_ id: UUID, writing: String?) async throws(StoreError) -> Bool {
        let user = user
        return try await write { connection in
            let changed = try connection.change(
                """
                UPDATE papers SET failure = NULL, writing = ?, worker = NULL, until = NULL
                WHERE id = ? AND user_id = ? AND failure IS NOT NULL
                """, [writing, id, user])
            if changed > 0 { try connection.announceJobs() }
            return changed > 0
        }
    }

    /// Erases a paper.
    ///
    /// - Returns: false if this user has none with this id.
    public func erasePaper(_ id: UUID) async throws(StoreError) -> Bool {
        let user = user
        return try await write { connection in
            try connection.change("DELETE FROM papers WHERE id = ? AND user_id = ?", [id, user]) > 0
        }
    }
}

import Foundation

/// Papers that are being written. Each is written by one worker at a time, which continues the work of the previous
/// one.
extension ServiceStore {
    /// Claims the next paper that waits, or whose worker's lease ended. Nil if no paper is waiting.
    public func claimPaper(seconds: Double) async throws(StoreError) -> PaperClaim? {
        try await write { connection in
            let worker = UUID()
            return try connection.first(
                """
                UPDATE papers SET worker = ?, until = {seconds} + ? WHERE id = (
                  SELECT id FROM papers WHERE paper IS NULL AND failure IS NULL AND (until IS NULL OR until <= {seconds})
                  ORDER BY created_at LIMIT 1 {skip locked})
                RETURNING user_id, \(OwnPaper.columns)
                """, [worker, seconds]
            ).map { PaperClaim(paper: try OwnPaper($0), user: try $0.value("user_id"), worker: worker) }
        }
    }

    /// Stores the progress, and extends the lease.
    ///
    /// - Returns: false if another worker has the paper, or it was erased. Then the worker must stop.
    public func keep(_ claim: PaperClaim, writing: String, seconds: Double) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change(
                "UPDATE papers SET writing = ?, until = {seconds} + ? WHERE id = ? AND worker = ?",
                [writing, seconds, claim.paper.id, claim.worker]) > 0
        }
    }

    /// Stores a finished paper.
    public func finish(
        _ claim: PaperClaim, writing: String, paper: String, title: String, shortfalls: String
    ) async throws(StoreError) {
        try await write { connection in
            _ = try connection.change(
                """
                UPDATE papers SET writing = ?, paper = ?, title = ?, shortfalls = ?, worker = NULL, until = NULL
                WHERE id = ? AND worker = ?
                """, [writing, paper, title, shortfalls, claim.paper.id, claim.worker])
        }
    }

    /// Records that a paper cannot be written now. Its owner can retry it.
    ///
    /// - Parameter why: one sentence without personal data.
    public func fail(_ claim: PaperClaim, writing: String, _ why: String) async throws(StoreError) {
        try await write { connection in
            _ = try connection.change(
                "UPDATE papers SET writing = ?, failure = ?, worker = NULL, until = NULL WHERE id = ? AND worker = ?",
                [writing, why, claim.paper.id, claim.worker])
        }
    }

    /// Returns a paper to the queue for another worker.
    public func giveBack(_ claim: PaperClaim) async throws(StoreError) {
        try await write { connection in
            let changed = try connection.change(
                "UPDATE papers SET worker = NULL, until = NULL WHERE id = ? AND worker = ?",
                [claim.paper.id, claim.worker])
            if changed > 0 { try connection.announceJobs() }
        }
    }
}

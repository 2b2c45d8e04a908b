import Foundation

/// Papers that are being written: each by one worker at a time, from where the one before it was.
extension ServiceStore {
    /// The next one that waits, or whose worker's lease ran out; nil where there is none.
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

    /// Keeps how far it is, and the lease for longer.
    ///
    /// - Returns: false where it is somebody else's, or was erased: the worker must stop.
    public func keep(_ claim: PaperClaim, writing: String, seconds: Double) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change(
                "UPDATE papers SET writing = ?, until = {seconds} + ? WHERE id = ? AND worker = ?",
                [writing, seconds, claim.paper.id, claim.worker]) > 0
        }
    }

    /// It is written.
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

    /// It cannot be written now; its owner may have it tried again.
    ///
    /// - Parameter why: one sentence, without anything of a person's.
    public func fail(_ claim: PaperClaim, writing: String, _ why: String) async throws(StoreError) {
        try await write { connection in
            _ = try connection.change(
                "UPDATE papers SET writing = ?, failure = ?, worker = NULL, until = NULL WHERE id = ? AND worker = ?",
                [writing, why, claim.paper.id, claim.worker])
        }
    }

    /// Gives it back, for another worker.
    public func giveBack(_ claim: PaperClaim) async throws(StoreError) {
        try await write { connection in
            let changed = try connection.change(
                "UPDATE papers SET worker = NULL, until = NULL WHERE id = ? AND worker = ?",
                [claim.paper.id, claim.worker])
            if changed > 0 { try connection.announceJobs() }
        }
    }
}

public import Foundation

/// Work that was given up: it is kept for a person, who has it done after all or ends it.
public struct DeadJob: Codable, Equatable, Identifiable, Sendable {
    public var id: UUID
    public var kind: JobKind
    public var session: UUID
    /// How often it was tried.
    public var attempts: Int
    /// Why it failed the last time; no words of a candidate's.
    public var message: String
    /// When that was: `2026-11-21T09:12:29Z`.
    public var failedAt: String?
}

/// What an operator wished of an evaluation.
struct EvaluationWish: Codable, Sendable {
    var endsWithGaps: Bool?
}

extension JobKind: Codable {}

extension ServiceStore {
    /// Jobs that were given up, the oldest first.
    public func deadJobs(limit: Int = 1_000) async throws(StoreError) -> [DeadJob] {
        try await read { connection in
            try connection.rows(
                """
                SELECT id, kind, test_session_id, retry_count, error_message, last_error_at FROM processing_queue
                WHERE status = 'dead' ORDER BY last_error_at, id LIMIT ?
                """, [limit]
            ).compactMap { row in
                guard let kind = JobKind(rawValue: try row.value("kind")) else { return nil }
                return DeadJob(
                    id: try row.value("id"), kind: kind, session: try row.value("test_session_id"),
                    attempts: try row.value("retry_count") + 1, message: try row.optional("error_message") ?? "",
                    failedAt: try row.optional("last_error_at"))
            }
        }
    }

    /// How many jobs were given up, by kind: 0 is said too.
    public func deadJobCounts() async throws(StoreError) -> [JobKind: Int] {
        try await read { connection in
            var counts = Dictionary(uniqueKeysWithValues: JobKind.allCases.map { ($0, 0) })
            for row in try connection.rows(
                "SELECT kind, count(*) AS count FROM processing_queue WHERE status = 'dead' GROUP BY kind")
            {
                if let kind = JobKind(rawValue: try row.value("kind")) { counts[kind] = try row.value("count") }
            }
            return counts
        }
    }

    /// Has a job that was given up done after all, with all its tries.
    ///
    /// - Returns: false where there is no such job, or it was not given up.
    public func replay(deadJob id: UUID) async throws(StoreError) -> Bool {
        try await write { connection in try connection.revive(id, wish: nil) }
    }

    /// Ends a job that was given up. An evaluation makes the session's results of what there is, and names what is missing; nobody is told
    /// of an event that was to be told.
    ///
    /// - Returns: false where there is no such job, or it was not given up.
    public func drop(deadJob id: UUID) async throws(StoreError) -> Bool {
        try await write { connection in
            let gone = try connection.change(
                "DELETE FROM processing_queue WHERE id = ? AND status = 'dead' AND kind = ?",
                [id, JobKind.tell.rawValue])
            if gone > 0 { return true }
            return try connection.revive(id, wish: EvaluationWish(endsWithGaps: true))
        }
    }
}

extension SQLConnection {
    fileprivate func revive(_ id: UUID, wish: EvaluationWish?) throws(StoreError) -> Bool {
        let row = try first(
            """
            UPDATE processing_queue SET status = 'pending', retry_count = 0, due = {seconds}, queued = {seconds},
              queued_at = {now}, detail = CASE kind WHEN 'evaluate' THEN CAST(? AS {json}) ELSE detail END
            WHERE id = ? AND status = 'dead' RETURNING test_session_id
            """, [try JSONText(wish), id])
        guard let row else { return false }
        try deriveStatus(of: row.value("test_session_id"))
        try announceJobs()
        return true
    }
}

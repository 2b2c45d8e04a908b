public import Foundation

/// A job that the server gave up. It is kept until an operator replays or drops it.
public struct DeadJob: Codable, Equatable, Identifiable, Sendable {
    public var id: UUID
    public var kind: JobKind
    public var session: UUID
    /// The number of attempts.
    public var attempts: Int
    /// The reason for the last failure. Contains no words of a candidate.
    public var message: String
    /// The time of the last failure: `2026-11-21T09:12:29Z`.
    public var failedAt: String?
}

/// An operator's decision about an evaluation.
struct EvaluationWish: Codable, Sendable {
    var endsWithGaps: Bool?
}

extension JobKind: Codable {}

extension ServiceStore {
    /// Returns the jobs that were given up, oldest first.
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

    /// Returns the number of jobs that were given up, by kind. Includes kinds with 0.
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

    /// Queues a given-up job again, with a full set of attempts.
    ///
    /// - Returns: false if there is no such job, or if it was not given up.
    public func replay(deadJob id: UUID) async throws(StoreError) -> Bool {
        try await write { connection in try connection.revive(id, wish: nil) }
    }

    /// Ends a job that was given up. A dropped evaluation computes the session's results from the available findings
    /// and names the missing ones. A dropped event is never delivered, and words that were to be heard during an exam
    /// are left to its evaluation.
    ///
    /// - Returns: false if there is no such job, or if it was not given up.
    public func drop(deadJob id: UUID) async throws(StoreError) -> Bool {
        try await write { connection in
            let gone = try connection.change(
                "DELETE FROM processing_queue WHERE id = ? AND status = 'dead' AND kind <> ?",
                [id, JobKind.evaluate.rawValue])
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

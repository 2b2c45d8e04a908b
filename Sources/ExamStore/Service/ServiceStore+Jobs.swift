public import Foundation

/// The queue of work on sessions: at least once, by one worker at a time; given up after so many failures, and then kept for a
/// person.
extension ServiceStore {
    /// Queues a job, unless one with this key was ever queued for the session's life.
    ///
    /// - Parameters:
    ///   - kind: `evaluate` moves the session through its statuses (C13).
    ///   - key: what makes it the same job.
    ///   - priority: higher ones go first.
    /// - Returns: false where it was queued before.
    /// - Throws: `conflict` where there is no such session or response.
    public func enqueue(
        _ kind: String, session: UUID, response: UUID? = nil, key: String, priority: Int = 0, maxRetries: Int = 5
    ) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.enqueue(
                kind: kind, session: session, response: response, key: key, priority: priority, maxRetries: maxRetries)
        }
    }

    /// The next job, for so many seconds; nil where none is due.
    ///
    /// A job whose worker's lease ran out is due again, as if it had failed.
    ///
    /// - Parameter worker: its name, for people.
    public func claim(worker: String, seconds: Double) async throws(StoreError) -> Job? {
        try await write { connection in
            try connection.takeBackExpired()
            let claim = UUID()
            guard
                let row = try connection.first(
                    """
                    UPDATE processing_queue SET status = 'processing', claim = ?, processing_worker_id = ?,
                      started_processing_at = {now}, claimed_at = {seconds}, claimed_until = {seconds} + ?
                    WHERE id = (
                      SELECT id FROM processing_queue WHERE status IN ('pending', 'failed') AND due <= {seconds}
                      ORDER BY priority DESC, due LIMIT 1 {skip locked})
                    RETURNING id, kind, test_session_id, response_id, key, priority, retry_count
                    """, [claim, worker, seconds])
            else { return nil }
            let retries: Int = try row.value("retry_count")
            let job = Job(
                id: try row.value("id"), kind: try row.value("kind"), session: try row.value("test_session_id"),
                response: try row.optional("response_id"), key: try row.value("key"),
                priority: try row.value("priority"), attempt: retries + 1, claim: claim)
            try connection.follow(job.kind, job.session, .processing)
            return job
        }
    }

    /// Gives a worker more time.
    ///
    /// - Returns: false where its lease has run out and the job is somebody else's: it must stop.
    public func extend(_ job: Job, seconds: Double) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change(
                """
                UPDATE processing_queue SET claimed_until = {seconds} + ?
                WHERE id = ? AND claim = ? AND status = 'processing'
                """, [seconds, job.id, job.claim]) > 0
        }
    }

    /// - Returns: false where the lease had run out and the job is somebody else's, or its session was erased.
    public func complete(_ job: Job) async throws(StoreError) -> Bool {
        try await write { connection in
            guard try connection.end(job, status: "completed", words: nil) else { return false }
            try connection.follow(job.kind, job.session, .completed)
            return true
        }
    }

    /// - Parameters:
    ///   - words: why, for a person: nothing that a candidate said.
    ///   - seconds: until it is tried again; nil for a delay that doubles, with chance in it.
    public func fail(_ job: Job, _ words: String, retryIn seconds: Double? = nil) async throws(StoreError) -> JobFailure
    {
        let failure: JobFailure = try await write { connection in
            guard
                let row = try connection.first(
                    """
                    SELECT retry_count, max_retries FROM processing_queue
                    WHERE id = ? AND claim = ? AND status = 'processing' {lock}
                    """, [job.id, job.claim])
            else { return .lost }
            let (retries, most): (Int, Int) = (try row.value("retry_count"), try row.value("max_retries"))
            if retries >= most {
                _ = try connection.end(job, status: "dead", words: words)
                try connection.follow(job.kind, job.session, .failed(words))
                return .dead
            }
            let delay = max(0, seconds ?? Backoff.seconds(after: retries + 1))
            try connection.change(
                """
                UPDATE processing_queue SET status = 'failed', retry_count = retry_count + 1, error_message = ?,
                  last_error_at = {now}, due = {seconds} + ?, claim = NULL, claimed_until = NULL
                WHERE id = ?
                """, [words, delay, job.id])
            return .retry(after: delay)
        }
        // A little later than due: it must not be looked for too early.
        if case .retry(let delay) = failure { wakes.wake(after: delay + 0.05) }
        return failure
    }

    /// Jobs that have failed as often as they may, latest first.
    public func deadJobs(limit: Int = 100) async throws(StoreError) -> [DeadJob] {
        try await read { connection in
            try connection.rows(
                """
                SELECT id, kind, test_session_id, retry_count, error_message, last_error_at FROM processing_queue
                WHERE status = 'dead' ORDER BY last_error_at DESC, id LIMIT ?
                """, [limit]
            ).map { row in
                let retries: Int = try row.value("retry_count")
                return DeadJob(
                    id: try row.value("id"), kind: try row.value("kind"), session: try row.value("test_session_id"),
                    attempts: retries + 1, words: try row.value("error_message"), at: try row.value("last_error_at"))
            }
        }
    }

    /// Queues a dead job again, with all its tries.
    ///
    /// - Returns: false where no dead job has this id.
    public func revive(job id: UUID) async throws(StoreError) -> Bool {
        try await write { connection in
            guard
                let row = try connection.first(
                    """
                    UPDATE processing_queue SET status = 'pending', retry_count = 0, due = {seconds}
                    WHERE id = ? AND status = 'dead' RETURNING kind, test_session_id
                    """, [id])
            else { return false }
            try connection.follow(try row.value("kind"), try row.value("test_session_id"), .pending)
            try connection.announceJobs()
            return true
        }
    }

    /// How much waits, for metrics.
    public func jobStats() async throws(StoreError) -> JobStats {
        try await read { connection in
            var stats = JobStats()
            for row in try connection.rows("SELECT status, count(*) AS count FROM processing_queue GROUP BY status") {
                let (status, count): (String, Int) = (try row.value("status"), try row.value("count"))
                switch status {
                case "pending": stats.pending = count
                case "processing": stats.processing = count
                case "failed": stats.failed = count
                case "completed": stats.completed = count
                default: stats.dead = count
                }
            }
            stats.oldestAge = try connection.first(
                """
                SELECT {seconds} - min(queued) AS age FROM processing_queue WHERE status IN ('pending', 'failed')
                """)?.optional("age")
            return stats
        }
    }

    /// Comes when there may be something to claim: at once, when something was queued (on any node), when a retry is due, and
    /// every half a minute in any case. Claim until there is nothing; ends when the store is closed.
    public func wakeUps() -> AsyncStream<Void> {
        let wakes = wakes
        database.listen { wakes.wake() }
        return wakes.stream()
    }
}

public import Foundation

/// The queue of work on sessions. Each job is done at least once, by one worker at a time. After too many failures it
/// is given up and kept for a person.
extension ServiceStore {
    /// Queues a finished session for evaluation with all its attempts, even if the evaluation was done or given up
    /// before.
    ///
    /// Earlier answers of services are not requested again (`begin`).
    ///
    /// - Returns: false if there is no such session, or it is still being held.
    public func queueEvaluation(of session: UUID, by assessor: String) async throws(StoreError) -> Bool {
        try await write { connection in
            guard
                try connection.first(
                    "SELECT 1 FROM test_sessions WHERE id = ? AND completed_at IS NOT NULL {lock}", [session]) != nil
            else { return false }
            try connection.enqueue(.evaluate, session: session, assessor: assessor, again: true)
            return true
        }
    }

    /// Claims the next job for a number of seconds. Nil if none is due.
    ///
    /// Among due jobs of the same priority, it prefers the user with the fewest running jobs, then the user whose last
    /// job was claimed the longest ago. So a user with a thousand jobs waits for the other users, and not the other way
    /// round.
    ///
    /// A job whose worker's lease ran out is due again, as if it had failed. A job that waits for another version of
    /// the assessor is left to that version's workers for ten minutes. After that, any worker may take it. A session
    /// whose words are being heard is not evaluated at the same time.
    ///
    /// - Parameters:
    ///   - kind: the kind of work.
    ///   - worker: the worker's name, for people.
    ///   - assessor: the version of the assessor that this worker uses.
    public func claim(
        _ kind: JobKind = .evaluate, worker: String, assessor: String = "none", seconds: Double
    ) async throws(StoreError) -> Job? {
        let endpoints = endpoints
        return try await write { connection in
            try connection.takeBackExpired(telling: endpoints)
            let claim = UUID()
            guard
                let row = try connection.first(
                    """
                    WITH running AS (
                      SELECT s.user_id AS user_id, count(*) AS count
                      FROM processing_queue q JOIN test_sessions s ON s.id = q.test_session_id
                      WHERE q.status = 'processing' AND q.kind = ? GROUP BY s.user_id),
                    served AS (
                      SELECT s.user_id AS user_id, max(q.claimed_at) AS at
                      FROM processing_queue q JOIN test_sessions s ON s.id = q.test_session_id
                      WHERE q.claimed_at > {seconds} - 3600 AND q.kind = ? GROUP BY s.user_id)
                    UPDATE processing_queue SET status = 'processing', claim = ?, processing_worker_id = ?, again = FALSE,
                      started_processing_at = {now}, claimed_at = {seconds}, claimed_until = {seconds} + ?
                    WHERE id = (
                      SELECT j.id FROM processing_queue j
                      WHERE j.status IN ('pending', 'failed') AND j.due <= {seconds}
                        AND j.kind = ? AND (coalesce(j.assessor, ?) = ? OR j.due <= {seconds} - 600)
                        AND (j.kind <> ? OR NOT EXISTS (
                          SELECT 1 FROM processing_queue h WHERE h.test_session_id = j.test_session_id
                            AND h.kind = ? AND h.status = 'processing'))
                      ORDER BY j.priority DESC,
                        coalesce((SELECT r.count FROM running r WHERE r.user_id =
                          (SELECT s.user_id FROM test_sessions s WHERE s.id = j.test_session_id)), 0),
                        coalesce((SELECT d.at FROM served d WHERE d.user_id =
                          (SELECT s.user_id FROM test_sessions s WHERE s.id = j.test_session_id)), 0),
                        j.due LIMIT 1 {skip locked})
                    RETURNING id, test_session_id, key, priority, retry_count, max_retries, detail
                    """,
                    [
                        kind.rawValue, kind.rawValue, claim, worker, seconds, kind.rawValue, assessor, assessor,
                        JobKind.evaluate.rawValue, JobKind.hear.rawValue,
                    ])
            else { return nil }
            let (retries, most): (Int, Int) = (try row.value("retry_count"), try row.value("max_retries"))
            let wish: EvaluationWish? = kind == .evaluate ? try row.json("detail") : nil
            let job = Job(
                id: try row.value("id"), kind: kind, session: try row.value("test_session_id"),
                key: try row.value("key"), priority: try row.value("priority"), attempt: retries + 1,
                isLast: retries >= most, endsWithGaps: wish?.endsWithGaps ?? false, claim: claim)
            try connection.deriveStatus(of: job.session)
            return job
        }
    }

    /// Extends a worker's lease.
    ///
    /// - Returns: false if the lease has ended and another worker has the job. Then the worker must stop.
    public func extend(_ job: Job, seconds: Double) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change(
                """
                UPDATE processing_queue SET claimed_until = {seconds} + ?
                WHERE id = ? AND claim = ? AND status = 'processing'
                """, [seconds, job.id, job.claim]) > 0
        }
    }

    /// Ends an evaluation and stores the session's result, both or neither. The session becomes `evaluated`. Nil values
    /// stay empty.
    ///
    /// - Parameters:
    ///   - assessor: the assessor's version; nil if there is no assessor: the session stays `completed`, and keeps what
    ///     a person wrote into it.
    ///   - seal: the seal on which the result is based; nil if the session was not sealed when the work began.
    ///   - markers: the number of people to ask if a machine's mark is held for a person.
    /// - Returns: false if the lease ran out and another worker has the job, or if the session was erased: nothing was
    ///   stored.
    public func complete(
        _ job: Job, _ result: StoredResult, by assessor: String?, restingOn seal: String? = nil,
        markers: Int = 0
    ) async throws(StoreError) -> Bool {
        let endpoints = endpoints
        return try await write { connection in
            guard
                try connection.first(
                    "SELECT 1 FROM processing_queue WHERE id = ? AND claim = ? AND status = 'processing' {lock}",
                    [job.id, job.claim]) != nil
            else { return false }
            try connection.note(.results, of: job.session)
            guard let assessor else { return try connection.end(job, status: "completed", message: nil) }
            try connection.change(
                """
                UPDATE test_sessions SET assessed_by = ?, overall_band_score = ?, fluency_score = ?, pronunciation_score = ?,
                  grammar_score = ?, vocabulary_score = ?, topic_relevance_score = ?, is_held = ?,
                  evidence = CAST(? AS TEXT)
                WHERE id = ?
                """,
                [assessor, result.overallBand] + result.scores.values
                    + [result.isHeld, seal, job.session])
            if result.isHeld { try connection.askForMarks(of: job.session, markers: markers) }
            try connection.append(resultOf: job.session)
            try connection.tell(.evaluated, of: job.session, to: endpoints)
            return try connection.end(job, status: "completed", message: nil)
        }
    }

    /// Ends a job that heard an exam's answers. If another answer was stored meanwhile, the job is due again.
    ///
    /// - Returns: false if the lease had ended and another worker has the job.
    public func heard(_ job: Job) async throws(StoreError) -> Bool {
        try await write { connection in
            let removed = try connection.change(
                "DELETE FROM processing_queue WHERE id = ? AND claim = ? AND status = 'processing' AND NOT again",
                [job.id, job.claim])
            if removed == 0 { return try connection.end(job, status: "completed", message: nil) }
            // The session may be over, and its evaluation waiting for this job.
            try connection.announceJobs()
            return true
        }
    }

    /// Returns a job that was neither done nor failed to the queue, due at once for any worker.
    ///
    /// - Returns: false if the lease had ended and another worker has the job.
    public func giveBack(_ job: Job) async throws(StoreError) -> Bool {
        try await write { connection in
            let changed = try connection.change(
                """
                UPDATE processing_queue SET status = 'pending', due = {seconds}, claim = NULL, claimed_until = NULL
                WHERE id = ? AND claim = ? AND status = 'processing'
                """, [job.id, job.claim])
            guard changed > 0 else { return false }
            try connection.deriveStatus(of: job.session)
            try connection.announceJobs()
            return true
        }
    }

    /// Records a failure.
    ///
    /// - Parameters:
    ///   - message: the reason, for a person. It contains no words of a candidate.
    ///   - seconds: the seconds until the next attempt; nil for a delay that doubles, with a random part.
    ///   - least: the minimum seconds until the next attempt.
    public func fail(
        _ job: Job, _ message: String, retryIn seconds: Double? = nil, atLeast least: Double = 0
    ) async throws(StoreError) -> JobFailure {
        let endpoints = endpoints
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
                _ = try connection.end(job, status: "dead", message: message)
                if job.kind == .evaluate { try connection.tell(.failed, of: job.session, to: endpoints) }
                return .dead
            }
            let delay = max(
                least, seconds ?? Backoff.seconds(after: retries + 1, atMost: job.kind.longestDelay))
            // The session's owner sees another state of the evaluation now.
            if job.kind == .evaluate { try connection.note(.results, of: job.session) }
            try connection.change(
                """
                UPDATE processing_queue SET status = 'failed', retry_count = retry_count + 1, error_message = ?,
                  last_error_at = {now}, due = {seconds} + ?, claim = NULL, claimed_until = NULL
                WHERE id = ?
                """, [message, delay, job.id])
            return .retry(after: delay)
        }
        // A little later than due, because an early look would find nothing.
        if case .retry(let delay) = failure { wakes.wake(after: delay + 0.05) }
        return failure
    }

    /// Returns the numbers of evaluations by state, for metrics.
    public func jobStats() async throws(StoreError) -> JobStats {
        try await read { connection in
            var stats = JobStats()
            for row in try connection.rows(
                "SELECT status, count(*) AS count FROM processing_queue WHERE kind = ? GROUP BY status",
                [JobKind.evaluate.rawValue])
            {
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
                SELECT {seconds} - min(queued) AS age FROM processing_queue WHERE status IN ('pending', 'failed') AND kind = ?
                """, [JobKind.evaluate.rawValue])?.optional("age")
            return stats
        }
    }

    /// Returns a stream that fires when there may be a job to claim: at once, when a job was queued on any node, when a
    /// retry is due, and every half minute. Claim jobs until `claim` returns nil. The stream ends when the store is
    /// closed.
    public func wakeUps() -> AsyncStream<Void> {
        let wakes = wakes
        database.listen { wakes.hear($0) }
        return wakes.stream()
    }
}

import Foundation

/// Steps of the queue's transactions.
extension SQLConnection {
    /// Queues a job.
    ///
    /// - Parameter again: whether to repeat a job that is done or given up. If a worker is working on it, it repeats
    ///   the job afterwards. If false, an existing job stays as it is.
    func enqueue(
        _ kind: JobKind, session: UUID, assessor: String, again: Bool, priority: Int = 0, maxRetries: Int? = nil
    ) throws(StoreError) {
        let known =
            again
            ? """
            UPDATE SET
              status = CASE WHEN processing_queue.status IN ('completed', 'dead') THEN 'pending' ELSE processing_queue.status END,
              retry_count = CASE WHEN processing_queue.status IN ('completed', 'dead') THEN 0
                ELSE processing_queue.retry_count END,
              due = CASE WHEN processing_queue.status IN ('completed', 'dead') THEN {seconds} ELSE processing_queue.due END,
              queued_at = CASE WHEN processing_queue.status IN ('completed', 'dead') THEN {now} ELSE processing_queue.queued_at END,
              queued = CASE WHEN processing_queue.status IN ('completed', 'dead') THEN {seconds} ELSE processing_queue.queued END,
              priority = CASE WHEN processing_queue.status IN ('completed', 'dead')
                OR processing_queue.priority < excluded.priority THEN excluded.priority ELSE processing_queue.priority END,
              detail = CASE WHEN processing_queue.status IN ('completed', 'dead') THEN NULL ELSE processing_queue.detail END,
              again = processing_queue.status = 'processing'
            """ : "NOTHING"
        let changed = try change(
            """
            INSERT INTO processing_queue (id, session_id, test_session_id, kind, assessor, key, priority, max_retries,
              queued_at, queued, due)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, {now}, {seconds}, {seconds}) ON CONFLICT (key) DO \(known)
            """,
            [
                UUID(), session, session, kind.rawValue, assessor, kind.key(session, assessor), priority,
                maxRetries ?? kind.mostRetries,
            ])
        guard changed > 0 else { return }
        try deriveStatus(of: session)
        try announceJobs()
    }

    /// Treats jobs whose worker never finished as failed. They are due again at once the first time. Each further time
    /// they wait a minute longer, because the job itself may crash its workers. Jobs without further attempts become
    /// dead.
    ///
    /// - Parameter endpoints: the endpoints that get an event for each evaluation given up in this way.
    func takeBackExpired(telling endpoints: EventEndpoints) throws(StoreError) {
        let expired = try rows(
            """
            UPDATE processing_queue SET
              status = CASE WHEN retry_count >= max_retries THEN 'dead' ELSE 'failed' END,
              retry_count = CASE WHEN retry_count >= max_retries THEN retry_count ELSE retry_count + 1 END,
              error_message = 'its worker did not come back', last_error_at = {now},
              due = {seconds} + 60 * retry_count, claim = NULL, claimed_until = NULL
            WHERE id IN (
              SELECT id FROM processing_queue WHERE status = 'processing' AND claimed_until < {seconds} {skip locked})
            RETURNING test_session_id, kind, status
            """)
        for row in expired {
            let session: UUID = try row.value("test_session_id")
            try deriveStatus(of: session)
            let (kind, status): (String, String) = (try row.value("kind"), try row.value("status"))
            if kind == JobKind.evaluate.rawValue, status == "dead" { try tell(.failed, of: session, to: endpoints) }
        }
    }

    /// Ends a job. If it was requested again meanwhile, it waits to be done again.
    ///
    /// - Returns: false if the claim is no longer valid.
    func end(_ job: Job, status: String, message: String?) throws(StoreError) -> Bool {
        let ended = try first(
            """
            UPDATE processing_queue SET status = CASE WHEN again THEN 'pending' ELSE ? END,
              retry_count = CASE WHEN again THEN 0 ELSE retry_count END, due = CASE WHEN again THEN {seconds} ELSE due END,
              error_message = coalesce(?, error_message), completed_at = {now},
              last_error_at = CASE WHEN CAST(? AS TEXT) IS NULL THEN last_error_at ELSE {now} END,
              processing_duration_seconds = {seconds} - claimed_at, claim = NULL, claimed_until = NULL
            WHERE id = ? AND claim = ? AND status = 'processing' RETURNING status
            """, [status, message, message, job.id, job.claim])
        guard ended != nil else { return false }
        try deriveStatus(of: job.session)
        if job.kind == .evaluate { try note(.results, of: job.session) }
        // Keep it in case the job is replayed.
        try announceJobs()
        return true
    }

    /// Updates a session's status, which follows from other facts: whether it is over, who assessed it, and the
    /// progress of the evaluation. This is the only code that writes it. A person who assessed a session by hand may
    /// also set `evaluated`, which stays.
    func deriveStatus(of session: UUID) throws(StoreError) {
        let before: String? = try first("SELECT status FROM test_sessions WHERE id = ? {lock}", [session])?.value(
            "status")
        let after: String? = try first(
            """
            UPDATE test_sessions SET status = CASE
              WHEN completed_at IS NULL THEN 'in_progress'
              WHEN assessed_by IS NOT NULL OR status = 'evaluated' THEN 'evaluated'
              ELSE coalesce((
                SELECT CASE q.status WHEN 'dead' THEN 'failed' WHEN 'pending' THEN 'completed' WHEN 'completed' THEN 'completed'
                  ELSE 'processing' END
                FROM processing_queue q WHERE q.test_session_id = test_sessions.id AND q.kind = 'evaluate'
                ORDER BY q.queued DESC, q.id LIMIT 1), 'completed') END
            WHERE id = ? RETURNING status
            """, [session])?.value("status")
        if before != after { try note(.results, of: session) }
    }
}

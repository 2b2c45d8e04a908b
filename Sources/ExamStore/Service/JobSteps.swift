import Foundation

/// Steps of the queue's transactions.
extension SQLConnection {
    /// - Returns: false where it was queued before.
    @discardableResult
    func enqueue(
        kind: String, session: UUID, response: UUID? = nil, key: String, priority: Int = 0, maxRetries: Int = 5
    ) throws(StoreError) -> Bool {
        let made = try change(
            """
            INSERT INTO processing_queue (id, session_id, test_session_id, response_id, kind, key, priority, max_retries,
              queued_at, queued, due)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, {now}, {seconds}, {seconds}) ON CONFLICT (key) DO NOTHING
            """, [UUID(), session, session, response, kind, key, priority, maxRetries])
        guard made > 0 else { return false }
        try follow(kind, session, .pending)
        try announceJobs()
        return true
    }

    /// Jobs whose worker did not come back, as if they had failed: due at once, or dead.
    func takeBackExpired() throws(StoreError) {
        let expired = try rows(
            """
            UPDATE processing_queue SET
              status = CASE WHEN retry_count >= max_retries THEN 'dead' ELSE 'failed' END,
              retry_count = CASE WHEN retry_count >= max_retries THEN retry_count ELSE retry_count + 1 END,
              error_message = 'its worker did not come back', last_error_at = {now}, due = {seconds}, claim = NULL,
              claimed_until = NULL
            WHERE id IN (
              SELECT id FROM processing_queue WHERE status = 'processing' AND claimed_until < {seconds} {skip locked})
            RETURNING kind, test_session_id, status
            """)
        for row in expired where try row.value("status") == "dead" {
            try follow(try row.value("kind"), try row.value("test_session_id"), .failed("its worker did not come back"))
        }
    }

    /// - Returns: false where the claim does not hold any more.
    func end(_ job: Job, status: String, words: String?) throws(StoreError) -> Bool {
        try change(
            """
            UPDATE processing_queue SET status = ?, error_message = coalesce(?, error_message), completed_at = {now},
              last_error_at = CASE WHEN CAST(? AS TEXT) IS NULL THEN last_error_at ELSE {now} END,
              processing_duration_seconds = {seconds} - claimed_at, claim = NULL, claimed_until = NULL
            WHERE id = ? AND claim = ? AND status = 'processing'
            """, [status, words, words, job.id, job.claim]) > 0
    }

    /// The session's own line (D7) and its status (C13) follow the job that evaluates it. Other jobs leave no trace there.
    func follow(_ kind: String, _ session: UUID, _ step: JobStep) throws(StoreError) {
        guard kind == "evaluate" else { return }
        try change(
            """
            INSERT INTO session_processing_queue (id, test_session_id, status, created_at, updated_at, error_message)
            VALUES (?, ?, ?, {now}, {now}, ?)
            ON CONFLICT (test_session_id) DO UPDATE SET status = excluded.status, updated_at = excluded.updated_at,
              error_message = excluded.error_message
            """, [UUID(), session, step.word, step.words])
        switch step {
        case .pending, .completed: return
        case .processing:
            try change(
                "UPDATE test_sessions SET status = 'processing' WHERE id = ? AND status IN ('completed', 'failed')",
                [session])
        case .failed:
            try change(
                "UPDATE test_sessions SET status = 'failed' WHERE id = ? AND status IN ('completed', 'processing')",
                [session])
        }
    }
}

/// Where a session's evaluation stands.
enum JobStep: Sendable {
    case pending, processing, completed
    case failed(String)

    var word: String {
        switch self {
        case .pending: "pending"
        case .processing: "processing"
        case .completed: "completed"
        case .failed: "failed"
        }
    }

    var words: String? {
        if case .failed(let words) = self { words } else { nil }
    }
}

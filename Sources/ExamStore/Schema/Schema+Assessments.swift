/// Assessors' findings, one for each answer and version. Statuses that follow from others are generated columns or
/// views, so that they cannot contradict each other.
extension Schema {
    static let assessments = [
        """
        CREATE TABLE assessments (
          response_id {uuid} NOT NULL REFERENCES responses (id) ON DELETE CASCADE,
          assessor TEXT NOT NULL,
          calls {int} NOT NULL DEFAULT 0,
          job_id {uuid},
          begun_at {time},
          result {json},
          assessed_at {time},
          PRIMARY KEY (response_id, assessor)) {strict}
        """,
        // The version of the assessor. NULL if the job was queued before versions existed.
        "ALTER TABLE processing_queue ADD COLUMN assessor TEXT",
        // Whether the job was requested again while a worker was working on it.
        "ALTER TABLE processing_queue ADD COLUMN again {bool} NOT NULL DEFAULT FALSE",
        // The version of the assessor whose results a session has. For existing results it was not recorded.
        "ALTER TABLE test_sessions ADD COLUMN assessed_by TEXT",
        "UPDATE test_sessions SET assessed_by = 'unknown' WHERE status = 'evaluated'",
        // The interface has two columns for the same fact, so one is derived from the other.
        "ALTER TABLE responses DROP COLUMN is_processed",
        """
        ALTER TABLE responses ADD COLUMN is_processed {bool} GENERATED ALWAYS AS (processing_status = 'completed') {derived}
        """,
        // The progress of a session's evaluation, taken from its newest job.
        "DROP TABLE session_processing_queue",
        """
        CREATE VIEW session_processing_queue AS
        SELECT q.id, q.test_session_id,
          CASE q.status WHEN 'dead' THEN 'failed' WHEN 'failed' THEN 'pending' ELSE q.status END AS status,
          q.queued_at AS created_at,
          coalesce(CASE WHEN q.status = 'processing' THEN q.started_processing_at ELSE q.completed_at END, q.last_error_at,
            q.queued_at) AS updated_at,
          CASE WHEN q.status IN ('dead', 'failed') THEN q.error_message END AS error_message
        FROM processing_queue q
        WHERE q.kind = 'evaluate' AND NOT EXISTS (
          SELECT 1 FROM processing_queue n WHERE n.test_session_id = q.test_session_id AND n.kind = q.kind
            AND (n.queued > q.queued OR n.queued = q.queued AND n.id < q.id))
        """,
    ]
}

/// What an assessor has not said yet of sessions that are being evaluated, or wait for it.
public struct WaitingAudio: Equatable, Sendable {
    /// Of sound.
    public var seconds: Double
    /// Since the oldest of it was queued, seconds; nil where nothing waits.
    public var oldestAge: Double?
}

extension ServiceStore {
    /// - Parameter finder: under whose name findings are kept that the assessor has given.
    public func waitingAudio(for finder: String) async throws(StoreError) -> WaitingAudio {
        try await read { connection in
            let row = try connection.first(
                """
                SELECT coalesce(sum(w.seconds), 0.0) AS seconds, {seconds} - min(w.queued) AS age FROM (
                  SELECT coalesce(r.duration_seconds, 0.0) AS seconds, (
                    SELECT min(q.queued) FROM processing_queue q WHERE q.test_session_id = r.test_session_id
                      AND q.kind = ? AND q.status IN ('pending', 'processing', 'failed')) AS queued
                  FROM responses r
                  WHERE r.test_session_id IN (
                      SELECT test_session_id FROM processing_queue
                      WHERE kind = ? AND status IN ('pending', 'processing', 'failed'))
                    AND \(TestResponse.isAssessed)
                    AND NOT EXISTS (SELECT 1 FROM assessments a WHERE a.response_id = r.id AND a.assessor = ?)) w
                """, [JobKind.evaluate.rawValue, JobKind.evaluate.rawValue, finder])!
            return WaitingAudio(seconds: try row.value("seconds"), oldestAge: try row.optional("age"))
        }
    }
}

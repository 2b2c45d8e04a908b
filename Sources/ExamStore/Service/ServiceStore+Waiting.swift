/// The sound that an assessor has not judged yet, in sessions that are being evaluated or wait for it.
public struct WaitingAudio: Equatable, Sendable {
    /// The seconds of sound.
    public var seconds: Double
    /// The seconds since the oldest waiting sound was queued. Nil if no sound is waiting.
    public var oldestAge: Double?
}

extension ServiceStore {
    /// Returns the sound that waits for an assessor.
    ///
    /// - Parameter finder: the name under which the assessor's findings are stored.
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

import Foundation
import SystemSupport

/// Events of sessions for endpoints. Each is a job, created in the transaction of the event and removed when it was
/// delivered.
extension ServiceStore {
    /// Returns the event that a job has to deliver.
    ///
    /// - Returns: nil if it was erased meanwhile.
    public func eventToTell(by job: Job) async throws(StoreError) -> EventToTell? {
        try await read { connection in
            try connection.first("SELECT detail FROM processing_queue WHERE id = ?", [job.id])?.json("detail")
        }
    }

    /// Postpones a job. This does not count as an attempt.
    public func putOff(_ job: Job, seconds: Double) async throws(StoreError) {
        try await write { connection in
            _ = try connection.change(
                """
                UPDATE processing_queue SET status = 'pending', due = {seconds} + ?, claim = NULL, claimed_until = NULL
                WHERE id = ? AND claim = ? AND status = 'processing'
                """, [seconds, job.id, job.claim])
        }
        wakes.wake(after: seconds + 0.05)
    }

    /// Gives a job up at once, because the endpoint does not want events any more. It is kept with its message, for a
    /// person.
    public func giveUp(_ job: Job, _ message: String) async throws(StoreError) {
        try await write { connection in _ = try connection.end(job, status: "dead", message: message) }
    }

    /// Returns the number of events waiting for delivery.
    public func waitingEvents() async throws(StoreError) -> Int {
        try await read { connection in
            try connection.first(
                "SELECT count(*) AS count FROM processing_queue WHERE kind = ? AND status IN ('pending', 'failed')",
                [JobKind.tell.rawValue])!.value("count")
        }
    }

    /// Removes a delivered job.
    ///
    /// - Returns: false if the lease had ended and another worker has the job. That worker delivers the event again,
    ///   under the same id.
    public func told(_ job: Job) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change(
                "DELETE FROM processing_queue WHERE id = ? AND claim = ? AND status = 'processing'",
                [job.id, job.claim])
                > 0
        }
    }
}

extension SQLConnection {
    /// Queues an event of a session for all endpoints that want it. It is part of the event's transaction: both or
    /// neither.
    func tell(_ event: SessionEvent, of session: UUID, to endpoints: EventEndpoints) throws(StoreError) {
        let names = endpoints.filter { $0.value.contains(event) }.keys.sorted()
        if names.isEmpty { return }
        let id = "msg_" + UUID().name.replacing("-", with: "")
        for endpoint in names {
            let detail = EventToTell(id: id, event: event, at: WallTime.now.utc, endpoint: endpoint)
            try change(
                """
                INSERT INTO processing_queue (id, session_id, test_session_id, kind, key, priority, max_retries, queued_at, queued,
                  due, detail)
                VALUES (?, ?, ?, ?, ?, 0, ?, {now}, {seconds}, {seconds}, ?)
                """,
                [
                    UUID(), session, session, JobKind.tell.rawValue, "tell:\(id):\(endpoint)", JobKind.tell.mostRetries,
                    try JSONText(detail),
                ])
        }
        try announceJobs()
    }
}

import Foundation
import SystemSupport

/// Events of sessions that endpoints are told of: a job for each, made in the transaction of what happened, and gone when it was told.
extension ServiceStore {
    /// - Returns: what is to be told by a job of that kind; nil where it was erased meanwhile.
    public func eventToTell(by job: Job) async throws(StoreError) -> EventToTell? {
        try await read { connection in
            try connection.first("SELECT detail FROM processing_queue WHERE id = ?", [job.id])?.json("detail")
        }
    }

    /// Puts a job off that nobody tried: it costs no try.
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

    /// Gives a job up at once: whoever is to be told does not want to be any more. It is kept with its message, for a person.
    public func giveUp(_ job: Job, _ message: String) async throws(StoreError) {
        try await write { connection in _ = try connection.end(job, status: "dead", message: message) }
    }

    /// How many events wait to be told.
    public func waitingEvents() async throws(StoreError) -> Int {
        try await read { connection in
            try connection.first(
                "SELECT count(*) AS count FROM processing_queue WHERE kind = ? AND status IN ('pending', 'failed')",
                [JobKind.tell.rawValue])!.value("count")
        }
    }

    /// It was told: the job goes.
    ///
    /// - Returns: false where the lease had run out and the job is somebody else's, who tells it again, under the same id.
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
    /// Has an event of a session told to all who want to know of it. In the transaction of what happened: both or neither.
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

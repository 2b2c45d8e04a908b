public import Foundation
import SystemSupport

/// The kind of work on a session. Each kind is a case here, and a file beside `Evaluation` in ExamServer/Processing
/// that does the work.
public enum JobKind: String, CaseIterable, Sendable {
    /// Assess what was not assessed yet, and make the session's result from it.
    case evaluate
    /// Hear the words of answers during their exam. The evaluation hears the words that are left.
    case hear
    /// Tell an endpoint about an event of the session.
    case tell

    /// The number of retries before the job is given up.
    var mostRetries: Int {
        switch self {
        // With the delays below, 54 retries take 11 to 23 hours: enough for an assessor that is unavailable for a
        // night.
        case .evaluate: 54
        // The evaluation hears the answers that this job did not.
        case .hear: 3
        // 16 retries take 11 to 23 hours: an operator who restarts a backend in the morning loses no job.
        case .tell: 16
        }
    }

    /// The longest delay before a retry, in seconds.
    var longestDelay: Double {
        switch self {
        case .evaluate: 1_800
        case .hear: 60
        case .tell: 4 * 3_600
        }
    }

    /// The priority of work that a candidate waits for. Repeated work has priority 0.
    static let awaited = 1

    /// Returns the key that identifies the job. Each version of the assessor has its own job.
    func key(_ session: UUID, _ assessor: String) -> String { "\(rawValue):\(session.name):\(assessor)" }
}

/// Claimed work on a session. It belongs to this worker until the lease ends. After that any worker may claim it.
public struct Job: Equatable, Identifiable, Sendable {
    public var id: UUID
    public var kind: JobKind
    public var session: UUID
    public var key: String
    public var priority: Int
    /// The number of the attempt. 1 for the first.
    public var attempt: Int
    /// Whether the job is given up if it fails this time.
    public var isLast: Bool
    /// Whether to end it with the available findings, because an operator dropped the missing ones.
    public var endsWithGaps = false
    /// The token of this claim. A worker whose lease has run out cannot act for the worker that claimed the job later.
    var claim: UUID
}

/// The consequence of a job's failure.
public enum JobFailure: Equatable, Sendable {
    /// The job is retried after this many seconds.
    case retry(after: Double)
    /// It has failed as often as allowed. It is kept with its message, for a person.
    case dead
    /// The lease had ended. Another worker may have the job.
    case lost
}

/// The numbers of jobs by state.
public struct JobStats: Codable, Equatable, Sendable {
    public var pending = 0
    public var processing = 0
    /// Failed jobs waiting for a retry.
    public var failed = 0
    public var completed = 0
    public var dead = 0
    /// The seconds since the oldest pending or failed job was queued. Nil without such a job.
    public var oldestAge: Double?

    public init() {}
}

/// The result of a node's attempt to hold a session.
public enum Lease: Equatable, Sendable {
    case taken
    /// Another node holds it and can be reached at this URL.
    case heldBy(url: String)
    case noSuchSession
}

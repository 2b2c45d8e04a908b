public import Foundation
import SystemSupport

/// What is to be done with a session. A kind is a case here, and a file beside `Evaluation` in ExamServer/Processing that does it.
public enum JobKind: String, CaseIterable, Sendable {
    /// What was not assessed yet is assessed, and the session's result made of it.
    case evaluate
    /// An endpoint of somebody's is told what has become of it.
    case tell

    /// How often it is tried again before it is given up.
    var mostRetries: Int {
        switch self {
        // With the delays below eleven hours at least and 23 at most: a judge that is away for a night is waited for.
        case .evaluate: 54
        // Eleven hours at least, 23 at most: whoever restarts a backend in the morning has missed nothing.
        case .tell: 16
        }
    }

    /// The longest delay before it is tried again, seconds.
    var longestDelay: Double {
        switch self {
        case .evaluate: 1_800
        case .tell: 4 * 3_600
        }
    }

    /// The priority of what a candidate waits for; 0 of what is done once more.
    static let awaited = 1

    /// What makes it the same job: a new version of the assessor has one of its own.
    func key(_ session: UUID, _ assessor: String) -> String { "\(rawValue):\(session.name):\(assessor)" }

}

/// Work on a session that was claimed (D6): this worker's until the lease ends, and everybody's again after that.
public struct Job: Equatable, Identifiable, Sendable {
    public var id: UUID
    public var kind: JobKind
    public var session: UUID
    public var key: String
    public var priority: Int
    /// 1 the first time.
    public var attempt: Int
    /// Whether it is given up when it fails this time.
    public var isLast: Bool
    /// Whether it is to end with what there is: an operator dropped what is missing.
    public var endsWithGaps = false
    /// This claim's own: a worker whose lease ran out cannot speak for who claimed it after that.
    var claim: UUID
}

/// What became of a job that failed.
public enum JobFailure: Equatable, Sendable {
    /// It is tried again, after so many seconds.
    case retry(after: Double)
    /// It has failed as often as it may: it is kept with its message, for a person.
    case dead
    /// The lease had run out: it is somebody else's.
    case lost
}

/// How much waits.
public struct JobStats: Codable, Equatable, Sendable {
    public var pending = 0
    public var processing = 0
    /// Failed, and waiting for another try.
    public var failed = 0
    public var completed = 0
    public var dead = 0
    /// Since the oldest one that is pending or failed was queued, seconds; nil where none is.
    public var oldestAge: Double?

    public init() {}
}

/// What became of the wish to hold a session.
public enum Lease: Equatable, Sendable {
    case taken
    /// Another node holds it, which is to be reached there.
    case heldBy(url: String)
    case noSuchSession
}

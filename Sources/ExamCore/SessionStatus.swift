/// A session's status as a backend stores it (C13); the raw values are the wire's.
public enum SessionStatus: String, Codable, Sendable, CaseIterable {
    case inProgress = "in_progress"
    /// The exam was held and every take is stored.
    case completed
    /// A scorer is at work.
    case processing
    case evaluated
    case failed
}

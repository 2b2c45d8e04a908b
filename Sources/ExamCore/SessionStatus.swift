/// A session's status as a backend stores it (C13); the raw values are the wire's.
public enum SessionStatus: String, Codable, Sendable, CaseIterable {
    case inProgress = "in_progress"
    /// The exam was held and every take is stored.
    case completed
    /// A scorer is at work.
    case processing
    case evaluated
    case failed

    /// Whether a session may go from this status to the other: forward one by one, and to `failed` from any but the last.
    public func mayBecome(_ next: SessionStatus) -> Bool {
        switch (self, next) {
        case (.inProgress, .completed), (.completed, .processing), (.processing, .evaluated): true
        case (.inProgress, .failed), (.completed, .failed), (.processing, .failed): true
        case (.failed, .processing): true  // Evaluated again.
        case (.inProgress, _), (.completed, _), (.processing, _), (.evaluated, _), (.failed, _): false
        }
    }
}

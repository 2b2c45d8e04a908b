/// The status of a session as a backend stores it. The raw values are those on the wire.
public enum SessionStatus: String, Codable, Sendable, CaseIterable {
    case inProgress = "in_progress"
    /// The exam is over and every take is stored.
    case completed
    /// A scorer is working on it.
    case processing
    case evaluated
    case failed
}

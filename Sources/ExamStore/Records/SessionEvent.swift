/// What has become of a session, for backends that wait for it.
public enum SessionEvent: String, CaseIterable, Codable, Sendable {
    /// It is over.
    case completed = "session.completed"
    /// What machines and people said was put together.
    case evaluated = "session.evaluated"
    /// Its evaluation was given up.
    case failed = "session.failed"
    /// All people who were asked have marked it; the evaluation that takes note of it comes next.
    case marked = "session.marked"
}

/// Who is told of which events, by name.
public typealias EventEndpoints = [String: Set<SessionEvent>]

/// An event that is to be told to an endpoint.
public struct EventToTell: Codable, Equatable, Sendable {
    /// The same over all tries, and for all endpoints: `msg_…`.
    public var id: String
    public var event: SessionEvent
    /// When it happened: ISO 8601 in UTC.
    public var at: String
    /// Whom it is to be told, by the name in the settings.
    public var endpoint: String
}

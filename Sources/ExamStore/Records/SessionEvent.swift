/// An event of a session, for backends that wait for it.
public enum SessionEvent: String, CaseIterable, Codable, Sendable {
    /// The session is over.
    case completed = "session.completed"
    /// The findings of machines and people were combined.
    case evaluated = "session.evaluated"
    /// The evaluation was given up.
    case failed = "session.failed"
    /// Every person who was asked has marked the session. The evaluation that includes the marks follows.
    case marked = "session.marked"
}

/// The events that each endpoint wants, by the endpoint's name.
public typealias EventEndpoints = [String: Set<SessionEvent>]

/// An event for an endpoint.
public struct EventToTell: Codable, Equatable, Sendable {
    /// The event's id, `msg_…`. It is the same for all attempts and all endpoints.
    public var id: String
    public var event: SessionEvent
    /// The time of the event in ISO 8601, UTC.
    public var at: String
    /// The endpoint's name in the settings.
    public var endpoint: String
}

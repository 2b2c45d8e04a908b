/// The result of storing something. Storing the same value again changes nothing.
public enum UpsertResult: Equatable, Sendable {
    case created
    /// It was stored with the same facts. Nothing was written.
    case same
    /// It was stored with other facts, which were replaced.
    case changed
    /// The id belongs to another owner. Nothing else is disclosed.
    case refused
    /// The session or template to which it belongs is missing, or another user's. Send that first.
    case parentMissing
}

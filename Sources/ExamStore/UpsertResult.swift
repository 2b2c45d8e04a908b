/// What became of something that was to be kept. To write the same again is to have written it once.
public enum UpsertResult: Equatable, Sendable {
    case created
    /// It was there with the same facts: nothing was written.
    case same
    /// It was there with other facts, which are replaced.
    case changed
    /// Another owner has this id. Nothing else is told of it.
    case refused
    /// What it belongs to is not here, or not this user's: to be sent first.
    case parentMissing
}

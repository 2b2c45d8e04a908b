/// What happens in an exam's room from outside, in the order in which it happens: all that `BrowserRoom` looks at.
enum RoomItem: Sendable {
    /// A client is here, with its first words.
    case joined(LiveConnection, ClientMessage.Hello)
    /// A client's connection ended.
    case left(LiveConnection)
    /// - Parameter at: when it came, by the steady clock.
    case sound(SoundMessage, by: LiveConnection, at: Duration)
    case said(ClientMessage, by: LiveConnection)
    /// No sound came for too long.
    case stalled
    /// The room is to be closed.
    case closing
}

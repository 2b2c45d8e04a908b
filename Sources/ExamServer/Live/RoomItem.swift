/// What happens in an exam's room from outside, in the order in which it happens: all that `BrowserRoom` looks at.
enum RoomItem: Sendable {
    /// A client is here, with its first words.
    case joined(any ClientConnection, ClientMessage.Hello)
    /// A client's connection ended.
    case left(any ClientConnection)
    /// - Parameter at: when it came, by the steady clock.
    case sound(SoundMessage, by: any ClientConnection, at: Duration)
    case said(ClientMessage, by: any ClientConnection)
    /// No sound came for too long.
    case stalled
    /// The room is to be closed.
    case closing
}

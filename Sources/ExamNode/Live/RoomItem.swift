/// The events from outside in an exam's room, in order. `BrowserRoom` gets nothing else.
package enum RoomItem: Sendable {
    /// A client has connected, with its first message.
    case joined(any ClientConnection, ClientMessage.Hello)
    /// A client's connection ended.
    case left(any ClientConnection)
    /// Sound from a client.
    ///
    /// - Parameter at: the arrival time by the steady clock.
    case sound(SoundMessage, by: any ClientConnection, at: Duration)
    case said(ClientMessage, by: any ClientConnection)
    /// No sound arrived for too long.
    case stalled
    /// The room must be closed.
    case closing
}

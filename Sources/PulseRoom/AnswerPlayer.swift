public import ExamCore

/// Plays recordings for a marker or transcriber, one at a time, from any position. Call it from any thread.
public final class AnswerPlayer: Sendable {
    private let server: PulseServer
    private let player: Player

    /// - Parameters:
    ///   - server: In `PULSE_SERVER`'s syntax; nil to use the environment's.
    ///   - loudspeaker: The device's name (`AudioDevice.name`); nil for the default.
    /// - Throws: `Exam.Trouble.noServer`.
    public init(server: String? = nil, loudspeaker: String? = nil) throws(Exam.Trouble) {
        self.server = try PulseServer(server)
        player = Player(on: self.server, loudspeaker: loudspeaker)
    }

    /// Stops the present file, and begins to play another. Returns at once.
    ///
    /// - Parameters:
    ///   - start: The position in the file, to 20 ms.
    ///   - ended: Called once, on its own thread, when the sound has ended; false if the loudspeaker was lost or the
    ///     file is damaged.
    /// - Returns: Whether the file can be read. If not, `ended` is not called.
    public func play(_ path: String, from start: Duration, ended: @escaping @Sendable (_ well: Bool) -> Void) -> Bool {
        player.stop()
        do {
            try player.play(path, from: start) { ending in ended(ending == .finished || ending == .stopped) }
            return true
        } catch {
            return false
        }
    }

    /// Stops the present file, if any.
    public func stop() { player.stop() }

    /// The listener's position in the file; nil if nothing is playing.
    public var position: Duration? { player.position }

    /// Ends the connection. Nothing can be played afterwards. Don't call it from `ended`.
    public func close() {
        player.stop()
        server.close()
    }
}

import AudioFiles
public import ExamCore

/// Plays recordings to whoever marks or transcribes them: from any moment on, one at a time.
///
/// Any thread may call it.
public final class AnswerPlayer: Sendable {
    private let server: PulseServer
    private let player: Player

    /// - Parameters:
    ///   - server: `PULSE_SERVER`'s syntax; nil: as the environment says.
    ///   - loudspeaker: the device's name (`AudioDevice.name`); nil: the default one.
    /// - Throws: `Exam.Trouble.noServer`.
    public init(server: String? = nil, loudspeaker: String? = nil) throws(Exam.Trouble) {
        self.server = try PulseServer(server)
        player = Player(on: self.server, loudspeaker: loudspeaker)
    }

    /// Stops what plays, and begins to play a file; returns at once.
    ///
    /// - Parameters:
    ///   - start: from the file's beginning, to 20 ms.
    ///   - ended: called once when nothing more is heard of it, on a thread of its own; false: the loudspeaker was lost, or the file is damaged.
    /// - Returns: false where the file cannot be read; `ended` is not called then.
    public func play(_ path: String, from start: Duration, ended: @escaping @Sendable (_ well: Bool) -> Void) -> Bool {
        player.stop()
        do {
            try player.play(path, from: start) { ending in ended(ending == .finished || ending == .stopped) }
            return true
        } catch {
            return false
        }
    }

    /// Nothing happens where nothing plays.
    public func stop() { player.stop() }

    /// Where in the file the listener is; nil where nothing plays.
    public var position: Duration? { player.position }

    /// Ends the connection; nothing can be played afterwards. Not from `ended`.
    public func close() {
        player.stop()
        server.close()
    }
}

/// The protocol state of a client's WebSocket from opening to end: events in, commands out. It uses no clock, no socket
/// and no task. Time is an argument. `LiveConnection` carries the commands out.
///
/// ```
///              hello             entered
///  greeting ──────────▶ entering ────────▶ sitting
///     │ no hello in time,   │ refused         │ leave, over, taken over, breaks the protocol,
///     │ other words         │                 │ says or reads nothing for too long
///     ▼                     ▼                 ▼
///  closing ◀──────────────────────────────────┘     any of these ── it closes, or its line ends ──▶ hangingUp
///     │ its answer, or it goes                                                                         │ all is written
///     └──────────────────────────────▶ hangingUp ────────────────────────────────────────────▶ ended ◀─┘
/// ```
package struct Conversation: Equatable, Sendable {
    /// A time by the steady clock.
    package typealias Moment = Duration

    enum Phase: Equatable, Sendable {
        /// The client has said nothing yet.
        case greeting
        /// The client said hello, and its exam is being found or opened.
        case entering
        /// The client is in an exam.
        case sitting
        /// The client was told why the connection is closed. Its own close is awaited, and its other messages are
        /// ignored.
        case closing(CloseReason.Code)
        /// Neither side sends more messages, but earlier ones are still being written.
        case hangingUp
        case ended
    }

    /// Whether the server is reading the client's messages.
    enum Reading: Equatable, Sendable {
        case reading
        /// The server processes a message and reads nothing meanwhile, so the client's silence doesn't count.
        case dealing
        /// No more messages will arrive.
        case over
    }

    package enum Event: Equatable, Sendable {
        case hello
        /// The client's exam is available.
        case entered
        /// The client sends a message for its exam.
        case word
        case leave
        /// A frame of any kind arrived.
        case received
        case dealing
        case dealt
        /// The client closes, or answers a close.
        case closeReceived
        /// The line ended.
        case inputEnded
        /// The server has this many bytes to send.
        case send(Int)
        /// The server sent the welcome or an acknowledgement, which names the next block that it wants.
        case told(UInt32)
        /// This many bytes are being written.
        case writing(Int)
        case written(Int)
        /// The server closes. The first reason counts.
        case close(CloseReason)
        case timePassed
        /// The time for a hello is over.
        case helloDue
        /// The time for an answer to a close is over.
        case answerDue
    }

    package enum Command: Equatable, Sendable {
        case enter
        case pass
        /// Tell the exam that its candidate is leaving.
        case leaveExam
        case write
        /// Repeat the acknowledgement, so that the client knows that the server is alive.
        case beat(UInt32)
        /// Send the reason, and close.
        case sayWhy(CloseReason)
        /// Write nothing more, and ignore messages until the client has read the reason.
        case endOutput
        case end
        /// Tell the exam, and the registry that counts connections, that this connection is gone.
        case gone
    }

    /// The maximum number of bytes kept for a client that does not read.
    static let mostWaiting = 512 << 10
    /// The time for the client's first message.
    package static let helloTime = Duration.seconds(5)
    /// The time for the client's answer to a close, and for reading everything sent before it.
    package static let answerTime = Duration.seconds(2)
    /// The time between two messages of the server. Several may be late before the client takes the server for lost.
    package static let beat = Duration.seconds(1)
    /// A client that sent something this recently is still speaking.
    private static let stillSpeaking = Duration.seconds(1)
    /// Smaller frames count as this many bytes.
    private static let smallFrame = 128

    private(set) var phase = Phase.greeting
    private(set) var reading = Reading.reading
    /// The bytes that wait to be written.
    package private(set) var waiting = 0
    private var heardAt: Moment
    private var saidAt: Moment
    /// The next block that the client was last asked for. Nil before the welcome.
    private var block: UInt32?
    /// The silence after which the server gives up a client.
    private let longestSilence: Duration

    package init(longestSilence: Duration, at now: Moment) {
        self.longestSilence = longestSilence
        (heardAt, saidAt) = (now, now)
    }

    /// Whether the client's messages count.
    package var isOpen: Bool {
        switch phase {
        case .greeting, .entering, .sitting: true
        case .closing, .hangingUp, .ended: false
        }
    }

    /// Handles an event.
    ///
    /// - Returns: the commands to carry out, in this order.
    package mutating func handle(_ event: Event, at now: Moment) -> [Command] {
        switch event {
        case .hello: return hello()
        case .entered:
            if phase == .entering { phase = .sitting }
            return []
        case .word: return phase == .sitting ? [.pass] : closeUngreeted()
        case .leave: return phase == .sitting ? [.leaveExam] + close(.done) : closeUngreeted()
        case .received:
            heardAt = now
            return []
        case .dealing:
            if reading == .reading { reading = .dealing }
            return []
        case .dealt:
            heardAt = now
            if reading == .dealing { reading = .reading }
            return []
        case .closeReceived:
            guard isOpen else { return hangUp() }
            phase = .hangingUp
            return [.sayWhy(.done)]
        case .inputEnded:
            guard reading != .over else { return [] }
            reading = .over
            return [.gone] + hangUp()
        case .send(let bytes):
            guard isOpen else { return [] }
            return waiting + bytes > Self.mostWaiting ? close(.notReading) : [.write]
        case .told(let block):
            self.block = block
            return []
        case .writing(let bytes):
            waiting += max(bytes, Self.smallFrame)
            return []
        case .written(let bytes):
            waiting -= max(bytes, Self.smallFrame)
            saidAt = now
            return phase == .hangingUp ? hangUp() : []
        case .close(let reason): return close(reason)
        case .timePassed: return timePassed(at: now)
        case .helloDue: return phase == .greeting ? close(.noToken) : []
        case .answerDue: return answerDue(at: now)
        }
    }

    // MARK: - Steps

    private mutating func hello() -> [Command] {
        switch phase {
        case .greeting:
            phase = .entering
            return [.enter]
        case .entering, .sitting: return close(.malformed("second-hello", "A connection says hello once."))
        case .closing, .hangingUp, .ended: return []
        }
    }

    /// Closes because the first message was not hello.
    private mutating func closeUngreeted() -> [Command] { close(.noToken) }

    private mutating func close(_ reason: CloseReason) -> [Command] {
        guard isOpen else { return [] }
        phase = .closing(reason.code)
        return [.sayWhy(reason)]
    }

    /// Ends the connection once all messages are on their way.
    private mutating func hangUp() -> [Command] {
        guard phase != .ended else { return [] }
        phase = waiting == 0 ? .ended : .hangingUp
        return phase == .ended ? [.end] : []
    }

    private mutating func timePassed(at now: Moment) -> [Command] {
        guard isOpen else { return [] }
        if reading == .reading, now - heardAt > longestSilence { return close(.notReading) }
        guard let block, waiting == 0, now - saidAt >= Self.beat else { return [] }
        saidAt = now
        return [.beat(block)]
    }

    /// Handles the end of the time for an answer. If the client is still sending, its messages are ignored until it
    /// reads the reason (`LingeringClose`). The server doesn't wait for a client that is silent or does not read, and a
    /// server that is stopping waits for no client.
    private mutating func answerDue(at now: Moment) -> [Command] {
        switch phase {
        case .closing(let code):
            if code != .goingAway, waiting == 0, now - heardAt < Self.stillSpeaking { return [.endOutput] }
            phase = .ended
            return [.end]
        case .hangingUp:
            phase = .ended
            return [.end]
        case .greeting, .entering, .sitting, .ended: return []
        }
    }
}

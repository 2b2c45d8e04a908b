/// What is between a client's WebSocket and this server, from its opening to its end: events in, commands out. No clock, no socket, no
/// task; time is an argument. `LiveConnection` carries the commands out.
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
struct Conversation: Equatable, Sendable {
    /// By the steady clock.
    typealias Moment = Duration

    enum Phase: Equatable, Sendable {
        /// It has said nothing yet.
        case greeting
        /// It said hello; its exam is being found or opened.
        case entering
        /// It sits in an exam.
        case sitting
        /// It was told why it is closed. Its own close is awaited; what else it says is passed over.
        case closing(CloseReason.Code)
        /// Neither side says anything more; what was said is still being written.
        case hangingUp
        case ended
    }

    /// What this side does with what comes.
    enum Reading: Equatable, Sendable {
        case reading
        /// Something is being dealt with, and nothing is read: the client's silence is this side's.
        case dealing
        /// Nothing more comes.
        case over
    }

    enum Event: Equatable, Sendable {
        case hello
        /// Its exam is there.
        case entered
        /// It says something to its exam.
        case word
        case leave
        /// It sent a frame of any kind.
        case received
        case dealing
        case dealt
        /// It closes, or answers a close.
        case closeReceived
        /// The line ended.
        case inputEnded
        /// This side has so many bytes to say.
        case send(Int)
        /// It was welcomed, or told what was heard: the next block that is wanted.
        case told(UInt32)
        /// So many bytes are being written.
        case writing(Int)
        case written(Int)
        /// This side closes; the first reason counts.
        case close(CloseReason)
        case timePassed
        /// The time for a hello is up.
        case helloDue
        /// The time for an answer to a close is up.
        case answerDue
    }

    enum Command: Equatable, Sendable {
        case enter
        case pass
        /// Tell the exam that its candidate goes.
        case leaveExam
        case write
        /// Say again what was heard, so that the client knows that this side is there.
        case beat(UInt32)
        /// Say why, and close.
        case sayWhy(CloseReason)
        /// Write nothing more, and pass over what comes until the client has read why.
        case endOutput
        case end
        /// Tell the count of connections, and the exam, that this one is gone.
        case gone
    }

    /// What is kept for a client that does not read, bytes.
    static let mostWaiting = 512 << 10
    /// For its first message.
    static let helloTime = Duration.seconds(5)
    /// For its answer to a close, and for all that was said before it to be read.
    static let answerTime = Duration.seconds(2)
    /// Between two words of this side: some of them may be late before it is taken for lost.
    static let beat = Duration.seconds(1)
    /// A client that said something so recently is still speaking.
    private static let stillSpeaking = Duration.seconds(1)
    /// What a frame without text counts for.
    private static let smallFrame = 128

    private(set) var phase = Phase.greeting
    private(set) var reading = Reading.reading
    /// Bytes that wait to be written.
    private(set) var waiting = 0
    private var heardAt: Moment
    private var saidAt: Moment
    /// The next block that is wanted, as the client was told; nil until it is welcomed.
    private var block: UInt32?
    /// A client that says nothing for so long is given up.
    private let longestSilence: Duration

    init(longestSilence: Duration, at now: Moment) {
        self.longestSilence = longestSilence
        (heardAt, saidAt) = (now, now)
    }

    /// Whether what the client says counts.
    var isOpen: Bool {
        switch phase {
        case .greeting, .entering, .sitting: true
        case .closing, .hangingUp, .ended: false
        }
    }

    /// - Returns: what is to be done, in this order.
    mutating func handle(_ event: Event, at now: Moment) -> [Command] {
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

    /// It says something else than hello first.
    private mutating func closeUngreeted() -> [Command] { close(.noToken) }

    private mutating func close(_ reason: CloseReason) -> [Command] {
        guard isOpen else { return [] }
        phase = .closing(reason.code)
        return [.sayWhy(reason)]
    }

    /// Ends it once all that was said is on its way.
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

    /// Whoever goes on speaking has its words passed over until it reads why (`LingeringClose`); for whoever says nothing, or does not
    /// read, nobody waits, and least of all a server that stops.
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

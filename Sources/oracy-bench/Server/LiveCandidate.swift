import Foundation

/// A simulated candidate: creates an exam, takes it in real time like a person, and then begins the next one or leaves.
///
/// ```
/// making ── 201 ──▶ upgrading ── 101 ──▶ sitting ── over ──▶ making …
/// ```
///
/// The microphone sends all the time. An answer begins half a second after the examiner falls silent, and is dropped if
/// the examiner speaks again. The candidate doesn't fetch prompts: it sends `played` after as many seconds as a prompt
/// lasts.
final class LiveCandidate {
    private enum Stage {
        case making
        case upgrading(liveToken: String)
        case sitting
    }

    /// The exam that a candidate takes.
    struct Exam {
        var format = "ielts-style"
        var paper = "bridges"
        /// Whether the candidate leaves after it, instead of beginning the next one.
        var isOnly = false
    }

    /// Five blocks per message: 100 ms.
    static let blocksAtOnce = 5

    let seat: Int
    private let token: String
    private let port: Int
    private let sounds: AnswerSounds
    private let tally: LoadTally
    private let exam: Exam
    private(set) var socket: ClientSocket
    /// A connection for the exam, opened before the one that creates the exam; nil for candidates with an even seat.
    ///
    /// The server distributes connections over its threads in turn, and each exam needs two connections. If all
    /// candidates opened them in the same order, the exams would run on every second thread only.
    private var spare: ClientSocket?
    private var stage = Stage.making
    private var livePath = ""

    // The sound in progress.
    private var block = 0
    private var answer: (sound: AnswerSounds.Sound, place: Int)?
    private var isListening = false
    private var answers = 0
    private var playing: (prompt: Int, until: Int)?
    /// The times at which the latest messages were sent, by their numbers.
    private var sentAt = [Double](repeating: 0, count: 64)
    private var isReady = false
    /// An answer, identified by its place in the exam.
    private struct Answer: Hashable { var part, order: Int }

    /// The answer in progress, and the end times of those not yet known to be stored.
    private var given: Answer?
    private var ended: [Answer: Double] = [:]
    /// Whether the candidate leaves during this exam and doesn't come back.
    private var isPassing = false
    /// Whether the candidate has left.
    private(set) var isGone = false

    /// Half a second between a question and its answer, in blocks.
    private static let pause = 25

    init(seat: Int, token: String, port: Int, sounds: AnswerSounds, tally: LoadTally, exam: Exam) {
        self.seat = seat
        self.token = token
        self.port = port
        self.sounds = sounds
        self.tally = tally
        self.exam = exam
        spare = seat % 2 == 1 ? ClientSocket(port: port) : nil
        socket = ClientSocket(port: port)
        make()
    }

    var isSitting: Bool { if case .sitting = stage { isReady } else { false } }

    func flush() { socket.flush() }

    // MARK: - Sending

    private func make() {
        stage = .making
        let body = #"{"format":"\#(exam.format)","paper":"\#(exam.paper)","mode":"test","consent":true}"#
        socket.send(
            Array(
                """
                POST /v1/exams HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(token)\r
                Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
                """.utf8))
    }

    /// Sends the next 100 ms of the microphone, once the server is ready for it.
    func speak(at now: Double) {
        guard isSitting else { return }
        var message: [UInt8] = []
        message.reserveCapacity(4 + Self.blocksAtOnce * 640)
        for shift in [0, 8, 16, 24] { message.append(UInt8(truncatingIfNeeded: block >> shift)) }
        for number in block..<(block + Self.blocksAtOnce) { message += nextBlock(number) }
        sentAt[block / Self.blocksAtOnce % sentAt.count] = now
        block += Self.blocksAtOnce
        tally.sent(Self.blocksAtOnce, bytes: message.count + (message.count < 126 ? 6 : 8))
        socket.send(binary: message)
        if let (prompt, until) = playing, block >= until {
            playing = nil
            socket.send(text: #"{"type":"played","prompt":\#(prompt)}"#)
        }
    }

    private func nextBlock(_ number: Int) -> ArraySlice<UInt8> {
        guard let (sound, place) = answer, place < sound.blockCount else {
            answer = nil
            return sounds.silence(number)
        }
        answer = (sound, place + 1)
        return place < 0 ? sounds.silence(number) : sound[place]
    }

    /// Leaves in the middle of an exam, for good.
    func leave() {
        isPassing = true
        isReady = false
        socket.send(text: #"{"type":"leave"}"#)
    }

    /// Asks for a reply when everything sent so far has been processed.
    func ping() { socket.send(text: #"{"type":"ping","at":1}"#) }

    // MARK: - Receiving

    private struct Made: Decodable {
        struct Live: Decodable { var path, token: String }
        var live: Live
    }

    private struct Message: Decodable {
        struct Card: Decodable {}
        var type: String
        var prompt: Int?
        var seconds: Double?
        var stage, activity, trouble, outcome, code, problem: String?
        var part, turn, order: Int?
        var card: Card?
        var at: Double?
    }

    /// Reads and handles the messages that have arrived.
    func hear(at now: Double) {
        let isOpen = socket.receive()
        switch stage {
        case .making:
            guard let (head, body) = socket.answer() else { return }
            guard let made = try? JSONDecoder().decode(Made.self, from: Data(body.utf8)) else {
                fail("no exam was made: \(head.prefix { $0 != "\r\n" })")
            }
            livePath = made.live.path
            upgrade(made.live.token)
        case .upgrading(let liveToken):
            guard let (head, _) = socket.answer() else { return }
            guard head.hasPrefix("HTTP/1.1 101") else { fail("no WebSocket: \(head.prefix { $0 != "\r\n" })") }
            stage = .sitting
            socket.send(text: #"{"type":"hello","token":"\#(liveToken)","sound":"\#(sounds.form.rawValue)"}"#)
        case .sitting: break
        }
        while case .sitting = stage, let frame = socket.nextFrame() {
            switch frame {
            case .text(let text): hear(text, now)
            case .closed(let code) where isReady && !isPassing:
                fail("seat \(seat): the server closed the connection, \(code)")
            case .closed, .other: break
            }
        }
        if isOpen { return }
        guard !isPassing else {
            isGone = true
            return
        }
        guard case .sitting = stage, !isReady else { fail("seat \(seat): the server broke the connection") }
        // After `over`.
        if exam.isOnly { isGone = true } else { begin() }
    }

    /// Begins another exam over a new connection.
    private func begin() {
        spare = seat % 2 == 1 ? ClientSocket(port: port) : nil
        socket = ClientSocket(port: port)
        (block, answer, isListening, playing, given, ended) = (0, nil, false, nil, nil, [:])
        make()
    }

    private func upgrade(_ liveToken: String) {
        socket = spare.take() ?? ClientSocket(port: port)
        stage = .upgrading(liveToken: liveToken)
        socket.send(
            Array(
                """
                GET \(livePath) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: Upgrade\r\nUpgrade: websocket\r
                Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
                Sec-WebSocket-Protocol: oracy.live.1\r\n\r\n
                """.utf8))
    }

    private func hear(_ text: ArraySlice<UInt8>, _ now: Double) {
        // The most common message contains nothing of interest here.
        if text.starts(with: #"{"type":"heard""#.utf8) { return }
        guard let message = try? JSONDecoder().decode(Message.self, from: Data(text)) else {
            fail("an unreadable message: \(text.count) bytes")
        }
        switch message.type {
        case "welcome": isReady = true
        case "state": obey(message, now)
        case "play":
            playing = (message.prompt ?? 0, block + Int((message.seconds ?? 0) * 50) + 1)
        case "stop": playing = nil
        case "stored":
            let stored = Answer(part: message.part ?? 0, order: message.order ?? 0)
            ended.removeValue(forKey: stored).map { tally.stored(after: now - $0) }
        case "over":
            isReady = false
            tally.over(message.outcome ?? "")
        case "pong": tally.pongs += 1
        case "error": fail("seat \(seat): the server says \(message.code ?? "")")
        default: break
        }
    }

    private func obey(_ state: Message, _ now: Double) {
        if let trouble = state.trouble { tally.trouble(trouble) }
        if state.stage != "processing", state.stage != "completed", let at = state.at {
            // The exam's clock counts blocks. The last block before `at` caused the event.
            let deciding = Int((at * 50).rounded()) - 1
            let message = deciding / Self.blocksAtOnce
            if deciding >= 0, deciding < block, message > block / Self.blocksAtOnce - sentAt.count {
                tally.event(after: now - sentAt[message % sentAt.count])
            }
        }
        let listens = ["waitingForSpeech", "speaking", "closing"].contains(state.activity ?? "")
        if listens && !isListening {
            answers += 1
            let sound = sounds.answer(
                part: state.part, turn: state.turn ?? 0, hasCard: state.card != nil, variant: seat * 7 + answers)
            answer = (sound, -Self.pause)
        } else if !listens {
            if let given, !isPassing {
                ended[given] = now
                tally.answerEnded()
            }
            answer = nil
        }
        isListening = listens
        given = listens ? Answer(part: state.part ?? 0, order: state.order ?? 0) : nil
    }
}

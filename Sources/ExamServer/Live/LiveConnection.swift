import ExamKit
import Foundation
import NIOCore
import NIOWebSocket
import ServiceLifecycle
import Synchronization

/// One client's connection: what it says goes to the exam that it joined, and what that exam says goes to it, as fast as it reads.
///
/// Anyone may `send` and `close`, from any thread, without waiting; `FrameReader` reads.
final class LiveConnection: Sendable {
    /// What has to be waited for before more is read.
    typealias Work = @Sendable () async -> Void

    private struct State {
        var isClosing = false
        /// Nothing more will be read: it ends when all is written.
        var isHungUp = false
        var hasEnded = false
        /// Bytes that wait to be written.
        var waiting = 0
        var heardAt = SteadyClock.now
        /// What it said is being dealt with, and nothing more is read: its silence is this side's.
        var isDealing = false
        var saidAt = SteadyClock.now
        /// What was heard of this client's sound, as it was told.
        var block: UInt32 = 0
        /// It said hello; its exam may take a moment to be opened.
        var hasGreeted = false
        var exam: LiveExam?
    }

    /// What is held for a client that does not read.
    static let mostWaiting = 512 << 10
    /// For its first message.
    static let patience = TimeAmount.seconds(5)
    /// What a frame without text counts for.
    private static let smallFrame = 128
    /// For its answer to a close, and for all that was said before it to be read.
    private static let farewell = TimeAmount.seconds(2)
    /// Between two words of this side: some of them may be late before it is taken for lost.
    static let beat = Duration.seconds(1)

    private let channel: any Channel
    /// Where its tasks run, and those of the exam that it opens.
    let loop: LoopExecutor
    private let exams: LiveExams
    private let state = Mutex(State())

    /// Begins to read.
    init(_ channel: any Channel, exams: LiveExams) throws {
        self.channel = channel
        loop = LoopExecutor(channel.eventLoop)
        self.exams = exams
        let reader = FrameReader(for: self, rate: exams.settings.anyPace ? nil : MessageRate())
        try channel.pipeline.syncOperations.addHandler(reader)
        exams.connected(self)
    }

    /// Serves it to its end.
    func serve() async {
        let hangUp = channel.eventLoop.scheduleTask(in: Self.patience) { self.closeIfNobody() }
        await withGracefulShutdownHandler {
            // A connection that breaks is no error: the exam goes on with the next one.
            try? await channel.closeFuture.get()
        } onGracefulShutdown: {
            self.close(.goingAway)
        }
        hangUp.cancel()
    }

    // MARK: - Down

    /// Where more waits than a client may leave unread, the connection is closed instead.
    func send(_ text: String) { put(.text, ByteBuffer(string: text)) }

    /// Sends what is not worth waiting for: nothing where anything waits.
    func sendIfQuick(_ text: String) {
        if state.withLock({ $0.waiting == 0 }) { send(text) }
    }

    /// - Parameter block: the next one that is wanted: nothing more is to be said of those before it.
    func send(welcome text: String, block: UInt32) {
        state.withLock { $0.block = block }
        send(text)
    }

    /// Says which blocks were heard; and again when nothing else is said for a while.
    func send(heardBefore block: UInt32) {
        state.withLock { $0.block = block }
        send(Wire.heard(before: block))
    }

    /// Says why and closes; the first reason counts.
    func close(_ closing: CloseReason) {
        let isFirst = state.withLock { state in
            defer { state.isClosing = true }
            return !state.isClosing
        }
        guard isFirst else { return }
        if let text = Wire.error(closing) { write(.text, ByteBuffer(string: text)) }
        var code = ByteBuffer()
        code.write(webSocketErrorCode: .init(codeNumber: Int(closing.code.rawValue)))
        write(.connectionClose, code)
        channel.eventLoop.scheduleTask(in: Self.farewell) { self.endWithoutAnswer(to: closing) }
    }

    /// The other side has not answered the close. Whoever goes on speaking has its words passed over until it reads why
    /// (`LingeringClose`); for whoever says nothing, or does not read, nobody waits, and least of all a server that stops.
    private func endWithoutAnswer(to closing: CloseReason) {
        let isFlooding = state.withLock { $0.waiting == 0 && SteadyClock.now - $0.heardAt < .seconds(1) }
        if isFlooding, closing.code != .goingAway {
            channel.close(mode: .output, promise: nil)
        } else {
            channel.close(promise: nil)
        }
    }

    /// Looks whether the other side is still there, and lets it know that this one is; called some times a second.
    func look(at now: Duration) {
        let (silence, beat) = state.withLock { state in
            let isDue = now - state.saidAt >= Self.beat && !state.isClosing && state.waiting == 0
            if isDue { state.saidAt = now }
            return (state.isDealing ? .zero : now - state.heardAt, isDue ? state.block : nil)
        }
        if silence > exams.times.clientSilence { return close(.notReading) }
        if let beat { send(heardBefore: beat) }
    }

    /// Ends it once all that was said is on its way.
    func hangUp() {
        let isWritten = state.withLock { state in
            state.isHungUp = true
            return state.waiting == 0
        }
        if isWritten { channel.close(promise: nil) }
    }

    private func put(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        let (isOpen, isTooMuch) = state.withLock { state in
            (!state.isClosing, state.waiting + data.readableBytes > Self.mostWaiting)
        }
        guard isOpen else { return }
        if isTooMuch { return close(.notReading) }
        write(opcode, data)
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, data: data)
        let size = max(data.readableBytes, Self.smallFrame)
        state.withLock { $0.waiting += size }
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in
            let isLast = self.state.withLock { state in
                state.waiting -= size
                state.saidAt = SteadyClock.now
                return state.isHungUp && state.waiting == 0
            }
            if isLast { self.channel.close(promise: nil) }
        }
        channel.write(frame, promise: written)
    }

    // MARK: - Up

    /// Notes that something came.
    ///
    /// - Returns: whether it is still listened to.
    func hears(at now: Duration) -> Bool {
        state.withLock { state in
            state.heardAt = now
            return !state.isClosing
        }
    }

    /// What it said last was dealt with, and more is read.
    func hasDealt() {
        state.withLock { ($0.heardAt, $0.isDealing) = (SteadyClock.now, false) }
    }

    /// Nothing more comes.
    func ended() {
        let isFirst = state.withLock { state in
            defer { state.hasEnded = true }
            return !state.hasEnded
        }
        guard isFirst else { return }
        exams.disconnected(self)
        hangUp()
    }

    /// Takes in what the client said.
    ///
    /// - Returns: what has to be waited for before more is read; nil where nothing has.
    func take(_ message: MessageAssembly.Message, at now: Duration) throws(CloseReason) -> Work? {
        switch message {
        case .ping(let data): put(.pong, data)
        case .pong: break
        case .close:
            close(.done)
            hangUp()
        case .text(let text): return try take(ClientMessage(text.utf8))
        case .binary(let bytes): return try hear(SoundMessage(bytes), now)
        }
        return nil
    }

    private func take(_ said: ClientMessage) throws(CloseReason) -> Work? {
        switch (said, exam) {
        case (.hello(let hello), nil):
            state.withLock { $0.hasGreeted = true }
            return dealing { [self] in
                let exam = try await exams.enter(hello, with: self)
                state.withLock { $0.exam = exam }
            }
        case (.hello, _?):
            throw .malformed("second-hello", "A connection says hello once.")
        case (_, nil):
            throw .noToken
        case (.leave, let exam?):
            exam.leave()
            close(.done)
        case (.notes(let text), let exam?):
            exam.keep(notes: text)
        case (_, let exam?):
            exam.take(.said(said, by: self))
            return exam.isSwamped ? dealing { await exam.caughtUp() } : nil
        }
        return nil
    }

    private func hear(_ sound: SoundMessage, _ now: Duration) throws(CloseReason) -> Work? {
        guard let exam else { throw .noToken }
        exam.take(.sound(sound, by: self, at: now))
        let wait = exam.wait(for: sound, at: now)
        guard wait > .zero || exam.isSwamped else { return nil }
        return dealing {
            await exam.caughtUp()
            try await Task.sleep(for: wait)
        }
    }

    private func dealing(_ work: @escaping @Sendable () async throws -> Void) -> Work {
        state.withLock { $0.isDealing = true }
        return {
            do {
                try await work()
            } catch let closing as CloseReason {
                self.close(closing)
            } catch {
                self.close(.fault)
            }
        }
    }

    /// The exam that it joined.
    var exam: LiveExam? { state.withLock { $0.exam } }

    private func closeIfNobody() {
        if !state.withLock({ $0.hasGreeted }) { close(.noToken) }
    }
}

/// Messages beside sound are keys that a person presses, prompts that ended and pings: some a second.
struct MessageRate {
    static let perSecond = 50.0
    static let atOnce = 500.0

    private var credit = MessageRate.atOnce
    private var countedAt: Duration?

    /// - Throws: `tooMuch`.
    mutating func count(at now: Duration) throws(CloseReason) {
        if let countedAt { credit = min(credit + (now - countedAt) / .seconds(1) * Self.perSecond, Self.atOnce) }
        countedAt = now
        credit -= 1
        if credit < 0 { throw .tooMuch("So many messages nobody needs.", retryAfter: 10) }
    }
}

import ExamKit
import Foundation
import NIOCore
import NIOWebSocket
import ServiceLifecycle
import Synchronization

/// One client's connection: reads what it says for the exam that it joined, and writes what that exam says, as fast as it reads.
///
/// Anyone may `send` and `close`, from any thread, without waiting; one task reads and one writes.
final class LiveConnection: Sendable {
    private enum Outgoing: Sendable {
        case text(String)
        case pong(ByteBuffer)
        case close(Closing.Code)

        var byteCount: Int {
            switch self {
            case .text(let text): text.utf8.count
            case .pong, .close: 128
            }
        }
    }

    private struct State {
        var isClosing = false
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
    private static let patience = TimeAmount.seconds(5)
    /// For its answer to a close, and for all that was said before it to be read.
    private static let farewell = TimeAmount.seconds(2)
    /// Three times the heartbeat: a browser that is busy gets a second and a third chance.
    private static let longestSilence = Duration.seconds(15)
    /// Between two words of this side: some of them may be late before it is taken for lost.
    private static let beat = Duration.seconds(1)

    private let channel: any Channel
    /// Where its tasks run, and those of the exam that it opens.
    let loop: LoopExecutor
    private let exams: LiveExams
    private let outbox = Inbox<Outgoing>()
    private let state = Mutex(State())

    private init(_ channel: any Channel, exams: LiveExams) {
        self.channel = channel
        loop = LoopExecutor(channel.eventLoop)
        self.exams = exams
    }

    /// Serves a connection to its end.
    static func serve(_ frames: NIOAsyncChannel<WebSocketFrame, WebSocketFrame>, exams: LiveExams) async {
        let connection = LiveConnection(frames.channel, exams: exams)
        exams.connected(connection)
        let hangUp = frames.channel.eventLoop.scheduleTask(in: patience) { connection.closeIfNobody() }
        // A connection that breaks is no error: the exam goes on with the next one.
        await withTaskExecutorPreference(connection.loop) {
            try? await frames.executeThenClose { inbound, outbound in
                await withGracefulShutdownHandler {
                    async let written: Void = connection.write(to: outbound)
                    await connection.read(inbound)
                    connection.outbox.close()
                    await written
                } onGracefulShutdown: {
                    connection.close(.goingAway)
                }
            }
        }
        hangUp.cancel()
        exams.disconnected(connection)
    }

    // MARK: - Down

    /// Where more waits than a client may leave unread, the connection is closed instead.
    func send(_ text: String) { put(.text(text)) }

    /// Sends what is not worth waiting for: nothing where anything waits.
    func sendIfQuick(_ text: String) {
        if state.withLock({ $0.waiting == 0 }) { put(.text(text)) }
    }

    /// - Parameter block: the next one that is wanted: nothing more is to be said of those before it.
    func send(welcome text: String, block: UInt32) {
        state.withLock { $0.block = block }
        put(.text(text))
    }

    /// Says which blocks were heard; and again when nothing else is said for a while.
    func send(heardBefore block: UInt32) {
        state.withLock { $0.block = block }
        put(.text(Wire.heard(before: block)))
    }

    /// Says why and closes; the first reason counts.
    func close(_ closing: Closing) {
        let isFirst = state.withLock { state in
            defer { state.isClosing = true }
            return !state.isClosing
        }
        guard isFirst else { return }
        if let text = Wire.error(closing) { outbox.put(.text(text)) }
        outbox.put(.close(closing.code))
        // Whoever does not read does not answer either.
        channel.eventLoop.scheduleTask(in: Self.farewell) { [channel] in channel.close(promise: nil) }
    }

    /// Looks whether the other side is still there, and lets it know that this one is; called some times a second.
    func look(at now: Duration) {
        let (silence, beat) = state.withLock { state in
            let isDue = now - state.saidAt >= Self.beat && !state.isClosing && state.waiting == 0
            if isDue { state.saidAt = now }
            return (state.isDealing ? .zero : now - state.heardAt, isDue ? state.block : nil)
        }
        if silence > Self.longestSilence { return close(.notReading) }
        if let beat { send(heardBefore: beat) }
    }

    private func put(_ item: Outgoing) {
        let isTooMuch = state.withLock { state in
            guard !state.isClosing else { return false }
            state.waiting += item.byteCount
            return state.waiting > Self.mostWaiting
        }
        if isTooMuch { return close(.notReading) }
        outbox.put(item)
    }

    private func write(to outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>) async {
        while let item = await outbox.next() {
            let frame: WebSocketFrame
            switch item {
            case .text(let text): frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
            case .pong(let data): frame = WebSocketFrame(fin: true, opcode: .pong, data: data)
            case .close(let code):
                var data = ByteBuffer()
                data.write(webSocketErrorCode: .init(codeNumber: Int(code.rawValue)))
                frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
            }
            guard (try? await outbound.write(frame)) != nil else { break }
            state.withLock {
                $0.waiting -= item.byteCount
                $0.saidAt = SteadyClock.now
            }
        }
        outbox.close()
    }

    // MARK: - Up

    private func read(_ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>) async {
        var assembly = MessageAssembly()
        var rate = MessageRate()
        do {
            for try await frame in inbound {
                let now = SteadyClock.now
                let isClosing = state.withLock { state in
                    (state.heardAt, state.isDealing) = (now, true)
                    return state.isClosing
                }
                defer {
                    state.withLock { ($0.heardAt, $0.isDealing) = (SteadyClock.now, false) }
                }
                if isClosing {
                    // What was on its way is passed over, until the other side answers the close or is hung up on.
                    if frame.opcode == .connectionClose { return }
                    continue
                }
                do {
                    if frame.opcode != .binary && !exams.settings.anyPace { try rate.count(at: now) }
                    guard let message = try assembly.take(frame) else { continue }
                    if message == .close { return close(.done) }
                    try await take(message, at: now)
                } catch let closing as Closing {
                    close(closing)
                }
            }
        } catch NIOWebSocketError.invalidFrameLength {
            close(Closing(code: .tooLong))
        } catch is NIOWebSocketError {
            close(Closing(code: .badFrame))
        } catch {
            return  // The connection broke.
        }
    }

    private func take(_ message: MessageAssembly.Message, at now: Duration) async throws {
        switch message {
        case .ping(let data): put(.pong(data))
        case .pong, .close: break
        case .text(let text): try await take(Upward(text.utf8))
        case .binary(let bytes): try await hear(SoundMessage(bytes), now)
        }
    }

    private func take(_ said: Upward) async throws {
        switch (said, exam) {
        case (.hello(let hello), nil):
            state.withLock { $0.hasGreeted = true }
            let exam = try await exams.enter(hello, with: self)
            state.withLock { $0.exam = exam }
        case (.hello, _?):
            throw Closing.malformed("second-hello", "A connection says hello once.")
        case (_, nil):
            throw Closing.noToken
        case (.leave, let exam?):
            exam.leave()
            close(.done)
        case (.notes(let text), let exam?):
            exam.keep(notes: text)
        case (_, let exam?):
            await exam.take(.said(said, by: self))
        }
    }

    private func hear(_ sound: SoundMessage, _ now: Duration) async throws {
        guard let exam else { throw Closing.noToken }
        await exam.take(.sound(sound, by: self, at: now))
        let wait = exam.wait(for: sound, at: now)
        if wait > .zero { try await Task.sleep(for: wait) }
    }

    /// The exam that it joined.
    var exam: LiveExam? { state.withLock { $0.exam } }

    private func closeIfNobody() {
        if !state.withLock({ $0.hasGreeted }) { close(.noToken) }
    }
}

/// Messages beside sound are keys that a person presses, prompts that ended and pings: some a second.
struct MessageRate {
    private static let perSecond = 50.0
    private static let atOnce = 500.0

    private var credit = MessageRate.atOnce
    private var countedAt: Duration?

    /// - Throws: `tooMuch`.
    mutating func count(at now: Duration) throws(Closing) {
        if let countedAt { credit = min(credit + (now - countedAt) / .seconds(1) * Self.perSecond, Self.atOnce) }
        countedAt = now
        credit -= 1
        if credit < 0 { throw .tooMuch("So many messages nobody needs.", retryAfter: 10) }
    }
}

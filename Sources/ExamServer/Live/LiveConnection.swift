import ExamNode
import Foundation
import NIOCore
import NIOWebSocket
import ServiceLifecycle
import Synchronization
import SystemSupport

/// One client's connection. It carries out `Conversation`'s commands: the client's messages go to its exam, and the
/// exam's messages go to the client as fast as it reads.
///
/// `send` and `close` may be called from any thread and do not wait. `FrameReader` reads.
final class LiveConnection: RegisteredConnection {
    /// Work that must be finished before more is read.
    typealias Work = @Sendable () async -> Void

    private struct State {
        var conversation: Conversation
        var exam: RunningExam?
        /// The form of the client's blocks.
        var form = SoundMessage.Form.pcm
    }

    private static let numbers = Atomic(0)

    let number = LiveConnection.numbers.add(1, ordering: .relaxed).newValue
    private let channel: any Channel
    let loop: any TaskExecutor
    private let registry: ExamRegistry
    private let state: Mutex<State>
    private let outbox: Outbox<(WebSocketFrame, EventLoopPromise<Void>)>

    /// Begins to read.
    init(_ channel: any Channel, registry: ExamRegistry) throws {
        self.channel = channel
        loop = LoopExecutor(channel.eventLoop)
        outbox = Outbox(channel.eventLoop) { frame, written in channel.write(frame, promise: written) }
        self.registry = registry
        state = Mutex(
            State(
                conversation: Conversation(longestSilence: registry.times.clientSilence, at: SteadyClock.now)))
        let reader = FrameReader(for: self, rate: registry.services.settings.anyPace ? nil : MessageRate())
        try channel.pipeline.syncOperations.addHandler(reader)
        registry.connected(self)
    }

    /// Serves the connection to its end.
    func serve() async {
        let hello = channel.eventLoop.scheduleTask(in: .init(Conversation.helloTime)) { self.handle(.helloDue) }
        await withGracefulShutdownHandler {
            // A broken connection is not an error: the exam continues with the next one.
            try? await channel.closeFuture.get()
        } onGracefulShutdown: {
            self.close(.goingAway)
        }
        hello.cancel()
    }

    var exam: RunningExam? { state.withLock { $0.exam } }

    // MARK: - Down

    /// Sends a text. If more is waiting than a client may leave unread, closes the connection instead.
    func send(_ text: String) { send(.text, ByteBuffer(string: text)) }

    func sendIfQuick(_ text: String) {
        if state.withLock({ $0.conversation.waiting == 0 }) { send(text) }
    }

    func send(welcome text: String, block: UInt32) {
        handle(.told(block))
        send(text)
    }

    func send(heardBefore block: UInt32) {
        handle(.told(block))
        send(Wire.heard(before: block))
    }

    func close(_ reason: CloseReason) { handle(.close(reason)) }

    func look() { handle(.timePassed) }

    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        if handle(.send(data.readableBytes)).contains(.write) { write(opcode, data) }
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, data: data)
        let size = data.readableBytes
        handle(.writing(size))
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in self.handle(.written(size)) }
        outbox.put((frame, written))
    }

    // MARK: - Up

    /// Records that a frame arrived.
    ///
    /// - Returns: whether the client's messages still count.
    func hears() -> Bool {
        handle(.received)
        return state.withLock { $0.conversation.isOpen }
    }

    /// Records that the last message was processed and reading continues.
    func hasDealt() { handle(.dealt) }

    /// Records that the client closes, or answers a close.
    func closeReceived() { handle(.closeReceived) }

    /// Records that no more frames will arrive.
    func ended() { handle(.inputEnded) }

    /// Takes a client's message.
    ///
    /// - Returns: work that must be finished before more is read. Nil if reading may continue at once.
    /// - Throws: a reason to close if the message breaks the protocol.
    func take(_ message: MessageAssembly.Message, at now: Duration) throws(CloseReason) -> Work? {
        switch message {
        case .ping(let data): send(.pong, data)
        case .pong: break
        case .close: closeReceived()
        case .text(let text): return try take(ClientMessage(text.utf8))
        case .binary(let bytes):
            return try hear(SoundMessage(Array(bytes.readableBytesView), as: state.withLock { $0.form }), now)
        }
        return nil
    }

    private func take(_ said: ClientMessage) -> Work? {
        switch said {
        case .hello(let hello):
            guard handle(.hello).contains(.enter) else { return nil }
            state.withLock { $0.form = hello.form }
            return dealing { [self] in
                let exam = try await registry.enter(hello, with: self)
                state.withLock { $0.exam = exam }
                handle(.entered)
            }
        case .leave: handle(.leave)
        case .notes(let text): if let exam = passing() { exam.keep(notes: text) }
        case .happened, .ping:
            guard let exam = passing() else { return nil }
            exam.take(.said(said, by: self))
            return exam.isSwamped ? dealing { await exam.caughtUp() } : nil
        }
        return nil
    }

    private func hear(_ sound: SoundMessage, _ now: Duration) -> Work? {
        guard let exam = passing() else { return nil }
        exam.take(.sound(sound, by: self, at: now))
        let wait = exam.wait(for: sound, at: now)
        guard wait > .zero || exam.isSwamped else { return nil }
        return dealing {
            await exam.caughtUp()
            try await Task.sleep(for: wait)
        }
    }

    /// Returns the exam for a message, if the message counts.
    private func passing() -> RunningExam? { handle(.word).contains(.pass) ? exam : nil }

    private func dealing(_ work: @escaping @Sendable () async throws -> Void) -> Work {
        handle(.dealing)
        return {
            do {
                try await work()
            } catch let reason as CloseReason {
                self.close(reason)
            } catch {
                self.close(.fault)
            }
        }
    }

    // MARK: - Commands

    /// Handles an event. Commands are carried out after the lock is released: each may run on any thread, and a
    /// connection has only one exam.
    @discardableResult
    private func handle(_ event: Conversation.Event) -> [Conversation.Command] {
        let commands = state.withLock { $0.conversation.handle(event, at: SteadyClock.now) }
        for command in commands { carryOut(command) }
        return commands
    }

    private func carryOut(_ command: Conversation.Command) {
        switch command {
        case .beat(let block): send(heardBefore: block)
        case .sayWhy(let reason): say(why: reason)
        case .leaveExam: exam?.leave()
        case .endOutput: close(.output)
        case .end: close(.all)
        case .gone: registry.disconnected(self)
        case .enter, .pass, .write: break  // The caller carries these out, because it has the message.
        }
    }

    /// Closes once everything sent before is written.
    private func close(_ mode: CloseMode) {
        let (outbox, channel) = (outbox, channel)
        channel.eventLoop.execute {
            outbox.empty()
            channel.close(mode: mode, promise: nil)
        }
    }

    private func say(why reason: CloseReason) {
        if let text = Wire.error(reason) { write(.text, ByteBuffer(string: text)) }
        var code = ByteBuffer()
        code.write(webSocketErrorCode: .init(codeNumber: Int(reason.code.rawValue)))
        write(.connectionClose, code)
        channel.eventLoop.scheduleTask(in: .init(Conversation.answerTime)) { self.handle(.answerDue) }
    }
}

import ExamKit
import NIOCore
import NIOWebSocket

/// Reads a client's frames for its connection, in order; while one of them has to wait for something, nothing more is read.
///
/// A handler and no `NIOAsyncChannel`: from there each frame is a task's to wake up for, which costs as much as all that is done with
/// a block of sound.
final class FrameReader: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let connection: LiveConnection
    private var assembly = MessageAssembly()
    private var rate: MessageRate?
    /// Read, and not dealt with.
    private var frames = CircularBuffer<WebSocketFrame>()
    private var isWaiting = false
    private var isReadWanted = false
    /// Nothing more will come.
    private var isAtEnd = false
    private var isFlushPlanned = false

    /// - Parameter rate: how many messages beside sound may come; nil: any number.
    init(for connection: LiveConnection, rate: MessageRate?) {
        self.connection = connection
        self.rate = rate
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        frames.append(unwrapInboundIn(data))
        deal(context)
    }

    func read(context: ChannelHandlerContext) {
        if isWaiting { isReadWanted = true } else { context.read() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { end(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: connection.close(CloseReason(code: .tooLong))
        case is NIOWebSocketError: connection.close(CloseReason(code: .badFrame))
        default: break  // The connection broke.
        }
        end(context)
    }

    /// What an exam says of one moment goes out as one packet.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        guard !isFlushPlanned else { return }
        isFlushPlanned = true
        context.eventLoop.assumeIsolated().execute {
            self.isFlushPlanned = false
            context.flush()
        }
    }

    private func end(_ context: ChannelHandlerContext) {
        isAtEnd = true
        deal(context)
    }

    private func deal(_ context: ChannelHandlerContext) {
        while !isWaiting, let frame = frames.popFirst() {
            if let work = take(frame) { wait(for: work, context) }
        }
        if !isWaiting && isAtEnd { connection.ended() }
    }

    private func wait(for work: @escaping LiveConnection.Work, _ context: ChannelHandlerContext) {
        isWaiting = true
        let loop = context.eventLoop
        let here = NIOLoopBound((self, context), eventLoop: loop)
        Task(executorPreference: connection.loop) {
            await work()
            loop.execute {
                let (reader, context) = here.value
                reader.goOn(context)
            }
        }
    }

    private func goOn(_ context: ChannelHandlerContext) {
        isWaiting = false
        connection.hasDealt()
        deal(context)
        guard !isWaiting, isReadWanted, !isAtEnd else { return }
        isReadWanted = false
        context.read()
    }

    private func take(_ frame: WebSocketFrame) -> LiveConnection.Work? {
        let now = SteadyClock.now
        guard connection.hears() else {
            // What was on its way is passed over, until the other side answers the close or is hung up on.
            if frame.opcode == .connectionClose { connection.closeReceived() }
            return nil
        }
        do {
            if frame.opcode != .binary { try rate?.count(at: now) }
            guard let message = try assembly.take(frame) else { return nil }
            return try connection.take(message, at: now)
        } catch let closing {
            connection.close(closing)
            return nil
        }
    }
}

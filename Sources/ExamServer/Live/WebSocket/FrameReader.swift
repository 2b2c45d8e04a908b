import ExamNode
import NIOCore
import NIOWebSocket
import SystemSupport

/// Reads a client's frames for its connection, in order. While the work on a frame is unfinished, no more are read.
///
/// It is a handler, since a `NIOAsyncChannel` wakes a task for each frame, which costs as much as processing a block of
/// sound.
final class FrameReader: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let connection: LiveConnection
    private var assembly = MessageAssembly()
    private var rate: MessageRate?
    /// Frames read and not processed yet.
    private var frames = CircularBuffer<WebSocketFrame>()
    private var isWaiting = false
    private var isReadWanted = false
    /// Whether no more frames will arrive.
    private var isAtEnd = false
    private var isFlushPlanned = false

    /// Creates the reader.
    ///
    /// - Parameter rate: the limit on messages other than sound. Nil for no limit.
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
        case NIOWebSocketError.invalidFrameLength: connection.close(.tooLong)
        case is NIOWebSocketError: connection.close(.badFrame)
        default: break  // The connection broke.
        }
        end(context)
    }

    /// Sends messages of the same moment in one packet.
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
            // Frames on their way are ignored until the client answers the close or the connection is cut.
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

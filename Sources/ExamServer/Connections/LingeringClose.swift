import NIOCore

/// Closes a connection so that its client can read the last answer. The server ends its own direction, and ignores the
/// client's bytes until the client closes as well or a time limit is reached.
///
/// If a socket is closed with unread bytes of the client, the system resets the connection, and the client loses an
/// answer that it has not read yet (RFC 9112, 9.6). This handler is first in the pipeline and sees the raw bytes of any
/// protocol.
final class LingeringClose: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The maximum time, and the maximum time without a byte, as in nginx (`lingering_time`, `lingering_timeout`).
    private static let longest = TimeAmount.seconds(30)
    private static let patience = TimeAmount.seconds(5)

    private var isLingering = false
    private var hasHeard = false
    private var timers: [Scheduled<Void>] = []

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output, !isLingering else { return context.close(mode: mode, promise: promise) }
        isLingering = true
        context.close(mode: .output, promise: promise)
        let loop = context.eventLoop.assumeIsolated()
        timers.append(loop.scheduleTask(in: Self.longest) { context.close(promise: nil) })
        listen(context)
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isLingering else { return context.fireChannelRead(data) }
        hasHeard = true
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isLingering { context.read() } else { context.fireChannelReadComplete() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isLingering, case ChannelEvent.inputClosed? = event as? ChannelEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        for timer in timers { timer.cancel() }
        timers = []
        context.fireChannelInactive()
    }

    private func listen(_ context: ChannelHandlerContext) {
        hasHeard = false
        timers.append(
            context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) {
                if self.hasHeard { self.listen(context) } else { context.close(promise: nil) }
            })
    }
}

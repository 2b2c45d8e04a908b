import NIOCore

/// Ends a connection so that its client can read what was said last: this side says that nothing more comes, and passes over what
/// the client still sends until it ends too, or has had its time.
///
/// Where a socket is closed while bytes of the client's lie unread, the system resets the connection, and the client loses the answer
/// that it did not read yet (RFC 9112, 9.6). First in the pipeline: it sees bytes, whatever is spoken over them.
final class LingeringClose: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// nginx's own (`lingering_time`, `lingering_timeout`): at most so long, and so long without a byte.
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

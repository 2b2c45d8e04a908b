import NIOCore

/// Ends connections whose client reads too slowly: one that takes nothing for half a minute, and, while all connections together have more
/// waiting than there is room for, each one that has more than its share.
///
/// Nearest to the socket: it sees bytes, whatever is spoken over them.
final class SlowReaders: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// What a connection may have waiting in any case: NIO's own mark, 64 KiB, and a piece beyond it.
    static let share = 96 << 10

    private let room: OutboundRoom
    private let patience: TimeAmount
    private var waiting = 0
    /// Pieces that were taken, to see whether any was.
    private var taken = 0
    private var isWatched = false
    private var isOver = false

    /// - Parameter patience: how long a client may take nothing. One on 64 kbit/s takes a piece of a body (`PiecewiseBodies`) in two seconds.
    init(_ room: OutboundRoom, patience: TimeAmount) {
        self.room = room
        self.patience = patience
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let count = unwrapOutboundIn(data).readableBytes
        guard count > 0, !isOver else { return context.write(data, promise: promise) }
        waiting += count
        let hasRoom = room.add(waiting: count)
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { _ in self.went(count) }
        context.write(data, promise: written)
        if !hasRoom && waiting > Self.share { return context.close(promise: nil) }
        watch(context)
    }

    /// What was not taken by now never will be.
    func channelInactive(context: ChannelHandlerContext) {
        isOver = true
        room.add(waiting: -waiting)
        waiting = 0
        context.fireChannelInactive()
    }

    private func went(_ count: Int) {
        guard !isOver else { return }
        waiting -= count
        taken += 1
        room.add(waiting: -count)
    }

    private func watch(_ context: ChannelHandlerContext) {
        guard !isWatched else { return }
        isWatched = true
        let before = taken
        context.eventLoop.assumeIsolated().scheduleTask(in: patience) {
            self.isWatched = false
            guard self.waiting > 0, context.channel.isActive else { return }
            if self.taken == before { context.close(promise: nil) } else { self.watch(context) }
        }
    }
}

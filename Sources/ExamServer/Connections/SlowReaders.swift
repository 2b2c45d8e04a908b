import ExamNode
import NIOCore

/// A handler that closes the connections of slow readers. It closes a connection whose client reads nothing for half a
/// minute. While all connections together have more bytes waiting than there is room for, it also closes each one that
/// exceeds its share.
///
/// It is the handler nearest to the socket, so it counts the bytes of every protocol.
final class SlowReaders: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The bytes that a connection may always have waiting: NIO's own mark of 64 KiB, and a piece beyond it.
    static let share = 96 << 10

    private let room: OutboundRoom
    private let patience: TimeAmount
    private var waiting = 0
    /// The number of pieces that the client has taken, to detect a client that takes none.
    private var taken = 0
    private var isWatched = false
    private var isOver = false

    /// - Parameter patience: the time that a client may read nothing. A client on 64 kbit/s takes a piece of a body
    ///   (`PiecewiseBodies`) in two seconds.
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

    /// Stops counting the bytes that the client hasn't taken. It can't take them any more.
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

import NIOCore
import NIOHTTP1

/// Takes away the wish for another protocol from a connection's first request unless it is WebSocket: so it is answered as any
/// request is. NIO's upgrader forgets the head of a request that it does not upgrade.
final class ForeignUpgrades: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let isOurs: (HTTPRequestHead) -> Bool

    init(except isOurs: @escaping (HTTPRequestHead) -> Bool) {
        self.isOurs = isOurs
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        if !isOurs(head) { head.headers.remove(name: "Upgrade") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
        // What follows may be another protocol's.
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}

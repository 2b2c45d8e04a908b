import NIOCore
import NIOHTTP1

/// Removes an upgrade request to a protocol other than WebSocket from a connection's first request, so that it is
/// answered like any other. NIO's upgrader loses the head of a request that it does not upgrade.
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
        // The following bytes may belong to another protocol.
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}

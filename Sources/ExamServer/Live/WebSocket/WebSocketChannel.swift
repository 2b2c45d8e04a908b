public import ExamNode
public import HummingbirdCore
public import Logging
public import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOWebSocket
import ServiceLifecycle

/// A server's connections: HTTP, and the WebSocket of live exams at `/v1/live`.
///
/// ```swift
/// let app = Application(router: router, server: exams.channel, services: exams.background(workers: 1))
/// ```
///
/// The HTTP responder answers requests for other protocols or paths, and requests from pages whose origin is not
/// allowed.
public struct WebSocketChannel: ServerChildChannel, HTTPChannelHandler {
    /// The path of exams, followed by an optional query.
    public static let path = "/v1/live"
    public let responder: HTTPChannelHandler.Responder
    private let exams: LiveExams
    /// The time for which a connection may be silent before its first request, and between requests.
    private let idleTimeout: Duration

    /// Creates the channel.
    ///
    /// - Parameter idleTimeout: the time for which a connection may be silent before its first request, and between
    ///   requests.
    public init(
        responder: @escaping HTTPChannelHandler.Responder, exams: LiveExams, idleTimeout: Duration = .seconds(60)
    ) {
        self.responder = responder
        self.exams = exams
        self.idleTimeout = idleTimeout
    }

    /// A connection whose protocol is not known yet.
    public struct Value: ServerChildChannelValue {
        public let channel: any Channel
        let agreed: EventLoopFuture<Agreed>
    }

    enum Agreed: Sendable {
        case webSocket(LiveConnection)
        case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
    }

    public func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers([
                SlowReaders(exams.services.outbound, patience: .init(exams.settings.readerPatience)), LingeringClose(),
            ])
            let upgrader = NIOTypedWebSocketServerUpgrader<Agreed>(
                maxFrameSize: MessageAssembly.mostBytes,
                // `LiveConnection` sends the only close frame, so the channel must not answer errors.
                enableAutomaticErrorHandling: false,
                shouldUpgrade: { [exams] channel, head in
                    channel.eventLoop.makeSucceededFuture(Self.answer(to: head, exams.settings))
                },
                upgradePipelineHandler: { [exams] channel, _ in
                    channel.eventLoop.makeCompletedFuture {
                        // Messages come ten times a second. After each, another read would find nothing.
                        try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
                        return .webSocket(try LiveConnection(channel, registry: exams.registry))
                    }
                }
            )
            let configuration = NIOTypedHTTPServerUpgradeConfiguration<Agreed>(
                upgraders: [upgrader],
                notUpgradingCompletionHandler: { [idleTimeout] channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
                        try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: idleTimeout, logger: logger))
                        return .http(
                            try NIOAsyncChannel(
                                wrappingChannelSynchronously: channel,
                                configuration: .init(isOutboundHalfClosureEnabled: true)))
                    }
                }
            )
            var pipeline = NIOUpgradableHTTPServerPipelineConfiguration(upgradeConfiguration: configuration)
            // Off, as in Hummingbird's own channel: NIOAsyncChannel keeps the order, the application answers errors,
            // and swift-http-types checks headers.
            pipeline.enablePipelining = false
            pipeline.enableErrorHandling = false
            pipeline.enableResponseHeaderValidation = false
            pipeline.decoderConfiguration.maxHeaderListSize = Refusals.mostHeaderBytes
            let agreed = try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
                configuration: pipeline)
            let upgradeHandler = try channel.pipeline.syncOperations.handler(
                type: NIOTypedHTTPServerUpgradeHandler<Agreed>.self)
            let settings = exams.settings
            let isOurs = { (head: HTTPRequestHead) in Self.answer(to: head, settings) != nil }
            let refusals = Refusals(except: isOurs) { [metrics = exams.services.metrics] problem in
                AccessLog.note(problem, metrics, logger)
            }
            for handler in [refusals, ForeignUpgrades(except: isOurs)] as [any ChannelHandler] {
                try channel.pipeline.syncOperations.addHandler(handler, position: .before(upgradeHandler))
            }
            // Closes connections that stay silent.
            let hangUp = channel.eventLoop.scheduleTask(in: .init(idleTimeout)) { channel.close(promise: nil) }
            agreed.whenComplete { _ in hangUp.cancel() }
            return Value(channel: channel, agreed: agreed)
        }
    }

    public func handle(value: Value, logger: Logger) async {
        let channel = value.channel
        let agreed = await withGracefulShutdownHandler {
            try? await value.agreed.get()
        } onGracefulShutdown: {
            channel.close(promise: nil)  // Nothing was requested over it yet.
        }
        switch agreed {
        case .webSocket(let connection): await connection.serve()
        case .http(let parts): await handleHTTP(asyncChannel: parts, logger: logger)
        case nil: try? await channel.close()
        }
    }

    /// Returns the headers that accept an upgrade. Nil for other requests, and for a forbidden host or origin.
    static func answer(to head: HTTPRequestHead, _ settings: ServerSettings) -> HTTPHeaders? {
        guard head.method == .GET, head.uri.split(separator: "?", maxSplits: 1).first.map(String.init) == path,
            head.headers[canonicalForm: "Upgrade"].contains(where: { $0.lowercased() == "websocket" }),
            head.headers["Sec-WebSocket-Version"] == ["13"], head.headers["Sec-WebSocket-Key"].count == 1,
            head.headers[canonicalForm: "Sec-WebSocket-Protocol"].contains(where: { $0 == Wire.subprotocol }),
            isAllowed(head.headers, settings)
        else { return nil }
        return ["Sec-WebSocket-Protocol": Wire.subprotocol]
    }

    /// Returns whether the request's origin is allowed. Pages of other sites may open a WebSocket to any address, but
    /// browsers state the page's origin. Other programs state none and carry no cookies that could be abused.
    static func isAllowed(_ headers: HTTPHeaders, _ settings: ServerSettings) -> Bool {
        guard let host = headers["Host"].first, settings.hosts.admit(host) else { return false }
        let said = headers["Origin"]
        return said.count <= 1 && settings.admits(said.first, at: host)
    }
}

extension LiveExams {
    /// The channel with which an application serves these exams on its port.
    public var channel: HTTPServerBuilder {
        HTTPServerBuilder { WebSocketChannel(responder: $0, exams: self) }
    }
}

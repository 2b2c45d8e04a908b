import HTTPTypes
import NIOCore
import NIOHTTP1

/// Answers invalid and unsupported requests at once, before any other code sees them (RFC 9112).
///
/// | request | answer |
/// |---|---|
/// | bytes that are not HTTP/1.1; no `Host` or two; an invalid, repeated or contradictory length | 400 |
/// | a body longer than any address accepts | 413 |
/// | headers or an address of more than `mostHeaderBytes` | 431 |
/// | an expectation that is not `100-continue` | 417 |
/// | a transfer coding other than `chunked` | 501 |
/// | a version other than 1.0 and 1.1 | 505 |
///
/// The answer waits for the answers to earlier requests. After it `LingeringClose` ends the connection. If a route
/// refuses a request whose body is still being sent, that ends the connection, too: the rest of the body is not worth
/// reading.
final class Refusals: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// 64 KiB. A token has at most 8 KiB.
    static let mostHeaderBytes = 64 << 10
    /// Six times the longest recording.
    static let mostBodyBytes = 64 << 20
    /// A body of at most this many bytes is read to its end even if it is refused, so that the connection can serve the
    /// next request.
    private static let smallBody = 64 << 10

    private let isUpgrade: (HTTPRequestHead) -> Bool
    private let noted: (APIProblem) -> Void
    private var isFirst = true
    /// The number of requests passed on without a complete answer.
    private var outstanding = 0
    /// The body of the last request while it is being read.
    private var body: Body?
    private var hasAnswerBegun = false
    private var isLast = false
    /// The refusal that waits for its turn, and the number of requests that are open then. It is one if the refusal
    /// concerns the body of the last of them.
    private var waiting: (problem: APIProblem, turn: Int)?
    private var isOver = false

    private enum Body {
        case small, large
    }

    /// Creates the handler.
    ///
    /// - Parameters:
    ///   - isUpgrade: returns whether a connection's first request switches to another protocol. Then this handler
    ///     steps aside.
    ///   - noted: called on the event loop with each refusal.
    init(except isUpgrade: @escaping (HTTPRequestHead) -> Bool, noted: @escaping (APIProblem) -> Void) {
        self.isUpgrade = isUpgrade
        self.noted = noted
    }

    // MARK: - Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver, waiting == nil else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if let problem = Self.problem(with: head) { return refuse(problem, context) }
            if isFirst, isUpgrade(head) {
                context.fireChannelRead(data)
                return context.pipeline.syncOperations.removeHandler(self, promise: nil)
            }
            isFirst = false
            let length = head.headers.first(name: "Content-Length").flatMap { Int($0) }
            let isChunked = head.headers.contains(name: "Transfer-Encoding")
            body = isChunked || length ?? 0 > Self.smallBody ? .large : .small
            outstanding += 1
            if head.headers.contains(name: "Expect"), head.version == .http1_1, outstanding == 1 {
                context.writeAndFlush(
                    wrapOutboundOut(.head(HTTPResponseHead(version: head.version, status: .continue))), promise: nil)
            }
        case .body: break
        case .end: body = nil
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error as? HTTPParserError {
        case nil: context.fireErrorCaught(error)
        case .headerOverflow?:
            refuse(
                APIProblem(
                    .requestHeaderFieldsTooLarge, "headers-too-large", "Headers too large",
                    "The address and headers can have at most \(Self.mostHeaderBytes >> 10) KiB together."), context)
        case _?: refuse(.malformed("This is not an HTTP/1.1 request (RFC 9112)."), context)
        }
    }

    private static func problem(with head: HTTPRequestHead) -> APIProblem? {
        guard head.version.major == 1, 0...1 ~= head.version.minor else {
            return APIProblem(
                .httpVersionNotSupported, "http-version", "Wrong HTTP version", "This server speaks HTTP/1.1.")
        }
        let hosts = head.headers["Host"].count
        guard hosts == 1 || hosts == 0 && head.version == .http1_0 else {
            return .malformed("Host: must appear exactly once (RFC 9112, 3.2).")
        }
        let (codings, lengths) = (head.headers["Transfer-Encoding"], head.headers["Content-Length"])
        if !codings.isEmpty {
            guard lengths.isEmpty, head.version != .http1_0 else {
                return .malformed("Transfer-Encoding: leaves the end of the body unclear (RFC 9112, 6.1).")
            }
            guard codings.map({ $0.lowercased() }) == ["chunked"] else {
                return APIProblem(
                    .notImplemented, "transfer-coding", "Unknown transfer coding",
                    "The only transfer coding that this server supports is chunked.")
            }
        }
        guard lengths.count <= 1, lengths.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }) else {
            return .malformed("Content-Length: is not a length (RFC 9112, 6.3).")
        }
        guard lengths.allSatisfy({ Int($0) ?? .max <= mostBodyBytes }) else {
            return APIProblem(
                .contentTooLarge, "too-large", "Too large", "No address of this server takes a body of this length.")
        }
        guard head.headers["Expect"].allSatisfy({ $0.lowercased() == "100-continue" }) else {
            return APIProblem(
                .expectationFailed, "expectation", "Unknown expectation", "Expect: can only be 100-continue."
            )
        }
        return nil
    }

    // MARK: - Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isOver else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            hasAnswerBegun = true
            // With more than one outstanding, the body belongs to another request.
            if head.status.code >= 400, body == .large, outstanding == 1 {
                isLast = true
                head.headers.replaceOrAdd(name: "Connection", value: "close")
                return context.write(wrapOutboundOut(.head(head)), promise: promise)
            }
        case .body: break
        case .end: return end(data, context, promise)
        }
        context.write(data, promise: promise)
    }

    private func end(_ data: NIOAny, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        context.writeAndFlush(data, promise: promise)
        hasAnswerBegun = false
        outstanding -= 1
        if isLast { return hangUp(context) }
        if let waiting, outstanding == waiting.turn { say(waiting.problem, context) }
    }

    private func refuse(_ problem: APIProblem, _ context: ChannelHandlerContext) {
        guard !isOver, waiting == nil else { return }
        let turn = body == nil ? 0 : 1
        if outstanding > turn {
            waiting = (problem, turn)
        } else if hasAnswerBegun {
            isLast = true  // The request's answer has already begun.
        } else {
            say(problem, context)
        }
    }

    private func say(_ problem: APIProblem, _ context: ChannelHandlerContext) {
        noted(problem)
        let document = problem.document
        var head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: problem.status.code, reasonPhrase: problem.status.reasonPhrase))
        head.headers = [
            "Content-Type": "application/problem+json", "Content-Length": "\(document.count)", "Connection": "close",
            "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        ]
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: document)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        hangUp(context)
    }

    private func hangUp(_ context: ChannelHandlerContext) {
        isOver = true
        context.close(mode: .output, promise: nil)
    }
}

public import HTTPClient

/// A small HTTP/1.1 server on 127.0.0.1 and a free port, in plain text. Each connection has a thread, on which the
/// handler answers one request after another.
///
/// It keeps connections open, understands `Content-Length`, chunked bodies and `Expect: 100-continue`, holds whole
/// bodies in memory, and remembers nothing. If requests need counting or storing, the handler does it.
public final class HTTPServer: Sendable {
    private let server: TCPServer

    /// - Parameter answer: Receives the request with an absolute URL (from the `Host` header, or as sent to a proxy),
    ///   header names as they arrived, and the body as `bytes` or `none`. It may block. The answer gets a
    ///   `content-length` if it has none. With `transfer-encoding: chunked` it is sent in chunks, and with `connection:
    ///   close` the connection ends after it.
    public init(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse) throws(SocketFailure) {
        server = try TCPServer { connection, _ in
            var reader = HTTPReader(connection)
            while let exchange = ServedExchange(&reader) {
                guard exchange.finish(answer(exchange.request)) else { return }
            }
        }
    }

    public var port: Int { server.port }

    /// The URL without a slash at the end: `http://127.0.0.1:41234`.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The number of connections so far.
    public var connectionCount: Int { server.connectionCount }

    /// The number of open connections.
    public var openCount: Int { server.openCount }

    /// Stops listening before it returns, and cuts all connections, even during answers.
    public func stop() { server.stop() }
}

/// A complete request, and the way to answer it.
private struct ServedExchange {
    let request: HTTPRequest
    private let connection: TCPConnection
    private let isLast: Bool

    /// nil if the connection ended, or after an invalid request was rejected.
    init?(_ reader: inout HTTPReader) {
        guard var message = reader.head() else { return nil }
        let words = message.startLine.split(separator: " ")
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
            reader.connection.write("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            return nil
        }
        if message["expect"]?.lowercased() == "100-continue" {
            reader.connection.write("HTTP/1.1 100 Continue\r\n\r\n")
        }
        guard reader.readBody(of: &message) else { return nil }

        let target = String(words[1])
        let url = target.hasPrefix("/") ? "http://\(message["host"] ?? "127.0.0.1")\(target)" : target
        request = HTTPRequest(
            String(words[0]), url, headers: message.headers.map { ($0.name, $0.value) },
            body: message.body.isEmpty ? .none : .bytes(message.body))
        connection = reader.connection
        isLast = words[2] == "HTTP/1.0" || message["connection"]?.lowercased() == "close"
    }

    /// Sends the answer. Returns false if the connection should be closed.
    func finish(_ response: HTTPResponse) -> Bool {
        var headers = response.headers
        let hasNoBody = response.status == 204 || response.status == 304 || response.status < 200
        let isChunked = headers["transfer-encoding"] == "chunked"
        if !hasNoBody && !isChunked && headers["content-length"] == nil {
            headers["content-length"] = "\(response.body.count)"
        }
        var head = "HTTP/1.1 \(response.status) \(Self.reason(response.status))\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
        head += "\r\n"

        var bytes = Array(head.utf8)
        if request.method != "HEAD" && !hasNoBody {
            bytes += isChunked ? Self.chunked(response.body) : response.body
        }
        return connection.write(bytes) && !isLast && headers["connection"] != "close"
    }

    private static func chunked(_ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: 1000) {
            let piece = body[start..<min(start + 1000, body.count)]
            bytes += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]
        }
        return bytes + Array("0\r\n\r\n".utf8)
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case ..<300: "OK"
        case ..<400: "Elsewhere"
        case ..<500: "Refused"
        default: "Failed"
        }
    }
}

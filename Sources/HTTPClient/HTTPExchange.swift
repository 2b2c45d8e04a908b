/// A request to a server.
public struct HTTPRequest: Equatable, Sendable {
    /// `GET`, `PUT` …
    public var method: String
    /// Absolute, `http` or `https`.
    public var url: String
    /// The headers in order.
    public var headers: [Header]
    /// The content to send.
    public var body: Body
    /// Whether to use a new connection. If a kept connection turns out to be closed, libcurl silently sends the request
    /// again. That must not happen to a request that can't be repeated, such as one with a refresh token.
    public var isAlone = false
    /// Whether the request may reach only addresses of the public Internet, because its URL comes from someone else.
    /// The address of the actual connection is checked, in case a name led elsewhere before. Proxies and kept
    /// connections are not used.
    public var isPublicOnly = false

    /// A line of the head.
    public struct Header: Equatable, Sendable {
        /// The text as it is sent. A value contains no line break.
        public var name, value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The content of a request.
    public enum Body: Equatable, Sendable {
        /// No body, and no `Content-Length`.
        case none
        /// Bytes in memory.
        case bytes([UInt8])
        /// A piece of a file. It is read while it is sent, and never in memory as a whole.
        case file(path: String, offset: Int, byteCount: Int)
    }

    /// - Parameter url: An absolute URL, `http` or `https`.
    public init(_ method: String, _ url: String, headers: [(String, String)] = [], body: Body = .none) {
        self.method = method
        self.url = url
        self.headers = headers.map(Header.init)
        self.body = body
    }
}

/// A server's answer with any status.
public struct HTTPResponse: Equatable, Sendable {
    /// The status that the server sent, 100 to 599.
    public var status: Int
    /// The headers by their names in lower case. If one occurs several times, the last counts.
    public var headers: [String: String]
    /// At most `HTTPLimits.responseBytes`. A longer answer is a failure.
    public var body: [UInt8]

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The body as UTF-8. Invalid bytes become U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

/// The reason why there is no answer.
public struct HTTPFailure: Error, Equatable, Sendable {
    /// The kind of failure, for deciding whether to ask again.
    public enum Kind: String, CaseIterable, Sendable {
        /// No network, unknown host, no answer in time to the connection, no TLS: no part of the request was sent.
        case networkUnavailable
        /// The connection broke after something was sent. The server may or may not have acted.
        case connectionLost
        /// The request was under way, and the answer paused or took too long.
        case timeout
        /// The server's certificate isn't trusted.
        case untrusted
        /// The answer is not HTTP, or longer than allowed.
        case malformed
        /// The URL is invalid, or not one of HTTP.
        case invalidURL
        /// The file to send can't be read.
        case unreadable
        /// The task was cancelled.
        case cancelled
        /// Any other code of libcurl.
        case unknown
    }

    /// The kind of failure.
    public var kind: Kind
    /// libcurl's code; 0 if libcurl wasn't called.
    public var code: Int
    /// One plain sentence without a full stop. It contains no header, no body and no query of the URL.
    public var sentence: String

    public init(_ kind: Kind, code: Int = 0, _ sentence: String) {
        self.kind = kind
        self.code = code
        self.sentence = sentence
    }
}

/// The limits of time and size for an exchange.
public struct HTTPLimits: Equatable, Sendable {
    /// The limit for establishing a connection, TLS included.
    public var connect: Duration = .seconds(10)
    /// The limit for a pause without a byte in either direction.
    public var idle: Duration = .seconds(15)
    /// The limit for the whole exchange. nil means the client's default (15 s), or ten minutes for sending a file, as
    /// long as it makes progress (`idle`).
    public var total: Duration?
    /// The longest answer in bytes.
    public var responseBytes = 1 << 20

    /// The default limits.
    public init() {}
}

/// A type that exchanges requests for answers: `CurlClient`, or a stand-in in tests.
public protocol HTTPExchanging: Sendable {
    /// Exchanges a request for an answer.
    ///
    /// - Parameter sent: Called now and then with the number of bytes of the body sent so far, on a thread of the
    ///   client.
    /// - Throws: `HTTPFailure`; an answer with any status is not a failure. A cancelled task throws `cancelled` within
    ///   a tenth of a second, and `sent` is not called after that.
    func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse
}

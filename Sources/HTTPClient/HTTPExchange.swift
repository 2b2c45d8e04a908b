/// What is asked of a server.
public struct HTTPRequest: Equatable, Sendable {
    /// `GET`, `PUT` …
    public var method: String
    /// Absolute, `http` or `https`.
    public var url: String
    /// In order.
    public var headers: [Header]
    /// What is sent with it.
    public var body: Body
    /// Whether it goes on a connection of its own. On a kept one that turns out to be closed, libcurl sends a request once more,
    /// and nobody hears of it: too often for what must not be repeated, a refresh token say.
    public var isAlone = false
    /// Whether it may only reach addresses of the open Internet: for what others named. The address that is connected to counts, whatever a
    /// name led to before; proxies are passed by, and no connection of before is used.
    public var isPublicOnly = false

    /// A line of the head.
    public struct Header: Equatable, Sendable {
        /// As they are sent; a value holds no line break.
        public var name, value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What is sent with a request.
    public enum Body: Equatable, Sendable {
        /// No body, and no `Content-Length`.
        case none
        /// From memory.
        case bytes([UInt8])
        /// A piece of a file, read as it is sent: never in memory as a whole.
        case file(path: String, offset: Int, byteCount: Int)
    }

    /// - Parameter url: absolute, `http` or `https`.
    public init(_ method: String, _ url: String, headers: [(String, String)] = [], body: Body = .none) {
        self.method = method
        self.url = url
        self.headers = headers.map(Header.init)
        self.body = body
    }
}

/// What a server answered, whatever its status.
public struct HTTPResponse: Equatable, Sendable {
    /// As the server has it, 100 to 599.
    public var status: Int
    /// Names in lower case; of one that came several times the last counts.
    public var headers: [String: String]
    /// At most `HTTPLimits.responseBytes`; longer answers are a failure.
    public var body: [UInt8]

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The body as UTF-8; what is none becomes U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

/// Why there is no answer (V8).
public struct HTTPFailure: Error, Equatable, Sendable {
    /// What happened, for whoever decides whether to ask again.
    public enum Kind: String, CaseIterable, Sendable {
        /// No network, no such host, nobody listens or answers in time, no TLS: nothing of the request was sent.
        case networkUnavailable
        /// The connection broke after something was sent: whether the server acted is not known.
        case connectionLost
        /// A silence, or the whole, took too long once the request was under way.
        case timeout
        /// The server's certificate is not to be trusted.
        case untrusted
        /// The answer is not HTTP, or longer than allowed.
        case malformed
        /// It is no address, or none of HTTP.
        case invalidURL
        /// The file to be sent cannot be read.
        case unreadable
        /// The task was cancelled.
        case cancelled
        /// libcurl says something else.
        case unknown
    }

    /// What happened.
    public var kind: Kind
    /// libcurl's number; 0 where it was not asked.
    public var code: Int
    /// One plain sentence without a full stop; no header, no body, no query of the URL.
    public var sentence: String

    public init(_ kind: Kind, code: Int = 0, _ sentence: String) {
        self.kind = kind
        self.code = code
        self.sentence = sentence
    }
}

/// How long things may take, and how much of an answer is taken.
public struct HTTPLimits: Equatable, Sendable {
    /// Until a connection stands, TLS included.
    public var connect: Duration = .seconds(10)
    /// Without a byte in either direction (V10: 15 s).
    public var idle: Duration = .seconds(15)
    /// From the beginning to the end. nil: what the client was made with (V10: 15 s); where a file is sent, ten minutes, as long as
    /// it gets on (`idle`).
    public var total: Duration?
    /// The longest answer that is taken.
    public var responseBytes = 1 << 20

    /// The limits as they stand above.
    public init() {}
}

/// Something that exchanges a request for an answer: `CurlClient`, or a test's stand-in.
public protocol HTTPExchanging: Sendable {
    /// - Parameter sent: told how many bytes of the body have gone, now and then, on a thread of the client's.
    /// - Throws: `HTTPFailure`; any status is an answer. A cancelled task throws `cancelled` within a tenth of a second, and
    ///   nothing is reported after it.
    func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse
}

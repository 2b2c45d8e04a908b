import HTTPClient
public import UploadQueue

/// The reason why there is no plan, and whether the same request may succeed in a moment.
public enum PlanProblem: Error, Equatable, Sendable {
    /// There is no network or no server at the address, or the connection broke.
    case networkUnavailable
    /// No answer came within the limit.
    case timeout
    /// The server refused (4xx), or failed (5xx).
    case server(status: Int, message: String)
    /// The answer has an unexpected form: the field, and what is wrong with it.
    case decoding(message: String)
    /// The address is invalid, or it is plain http to another machine, which must not receive personal data.
    case invalidURL
    case cancelled
    /// A certificate that is not trusted, or a token that cannot be read.
    case unknown(underlying: DeliveryFailure)

    /// One sentence for a person. It contains no key, no token and nothing from the profile.
    public var displayMessage: String {
        switch self {
        case .networkUnavailable: "The plan server cannot be reached. Check your connection and try again."
        case .timeout: "The plan server does not answer. Try again in a moment."
        case .server(401, let words): "Please sign in: \(words)."
        case .server(403, let words): "You are not allowed to do this: \(words)."
        case .server(let status, let words) where status >= 500:
            "The plan server has a problem (\(words)). Try again in a moment."
        case .server(_, let words): "The plan server refused: \(words)."
        case .decoding(let words): "The plan server gave an unexpected answer: \(words)."
        case .invalidURL: "The server's address cannot be used. Use https://…, or http:// for a server on this machine."
        case .cancelled: "The request was cancelled."
        case .unknown(let failure): "\(failure.message.isEmpty ? failure.code : failure.message)."
        }
    }

    /// True for 5xx, timeouts and network errors. Everything else persists until someone acts.
    public var isRetryable: Bool {
        switch self {
        case .networkUnavailable, .timeout: true
        case .server(let status, _): status >= 500
        case .decoding, .invalidURL, .cancelled, .unknown: false
        }
    }

    init(_ failure: HTTPFailure) {
        switch failure.kind {
        case .networkUnavailable, .connectionLost: self = .networkUnavailable
        case .timeout: self = .timeout
        case .malformed: self = .decoding(message: RedactedText.of(failure.sentence))
        case .invalidURL: self = .invalidURL
        case .cancelled: self = .cancelled
        // A hotel's network wants a sign-in, or the certificate belongs to another server. A person has to check.
        case .untrusted, .unreadable, .unknown: self = .unknown(underlying: DeliveryFailure(failure))
        }
    }

    /// Converts an answer without a status of success.
    init(_ response: HTTPResponse) {
        guard response.status >= 300 else {
            self = .decoding(message: "it is a page, or empty, with status \(response.status)")
            return
        }
        var words = ProblemDetails(response).map { RedactedText.of($0.message) } ?? ""
        words = String(words.prefix(DeliveryFailure.longestMessage))
        // Titles and details are sentences, but here they become part of one.
        while let last = words.last, last == "." || last.isWhitespace { words.removeLast() }
        self = .server(status: response.status, message: words.isEmpty ? "it answers \(response.status)" : words)
    }
}

extension ServiceProblem {
    /// Converts a failure of a plan server.
    public init(_ problem: PlanProblem) {
        let (kind, title): (Kind, String) =
            switch problem {
            case .networkUnavailable: (.networkUnavailable, "No connection")
            case .timeout: (.timeout, "No answer")
            case .server(401, _): (.signInNeeded, "Please sign in")
            case .server(let status, _): (.server, status >= 500 ? "The server has a problem" : "Refused")
            case .decoding: (.decoding, "Unexpected answer")
            case .invalidURL: (.unknown, "Wrong address")
            case .cancelled: (.cancelled, "Cancelled")
            case .unknown(let failure) where failure.kind == .signInNeeded: (.signInNeeded, "Please sign in")
            case .unknown: (.unknown, "No plan")
            }
        // A `ServiceProblem` has no full stop.
        self.init(kind, title, String(problem.displayMessage.dropLast()), isRetryable: problem.isRetryable)
    }

    /// No request was made, because the network is known to be away.
    public static let offline = ServiceProblem(
        .networkUnavailable, "Offline", "You are offline. A new plan is made when you are online again",
        isRetryable: true)
}

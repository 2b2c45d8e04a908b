import HTTPClient
public import UploadQueue

/// Why there is no plan (V8), and whether the same may well succeed in a moment.
public enum PlanProblem: Error, Equatable, Sendable {
    /// No network, nobody listens there, or the connection broke.
    case networkUnavailable
    /// Nothing came in the time that was given.
    case timeout
    /// The server refused (4xx), or failed (5xx).
    case server(status: Int, message: String)
    /// What came is not what was asked for: the field, and what is wrong with it.
    case decoding(message: String)
    /// The address is not a valid one, or it is plain http to another machine, where nothing personal may go.
    case invalidURL
    case cancelled
    /// A certificate that is not trusted, a token that cannot be read.
    case unknown(underlying: DeliveryFailure)

    /// One sentence for a person; no key, no token, nothing of a profile.
    public var displayMessage: String {
        switch self {
        case .networkUnavailable: "There is no connection to the server of plans."
        case .timeout: "The server of plans does not answer. Try again in a moment."
        case .server(401, let words): "Please sign in: \(words)."
        case .server(403, let words): "You may not do this: \(words)."
        case .server(let status, let words) where status >= 500:
            "The server of plans has a problem (\(words)). Try again in a moment."
        case .server(_, let words): "The server of plans refused: \(words)."
        case .decoding(let words): "The server answered something that is not what was asked for: \(words)."
        case .invalidURL: "The server's address cannot be used: it is https://…, or plain http on this machine alone."
        case .cancelled: "It was cancelled."
        case .unknown(let failure): "\(failure.message.isEmpty ? failure.code : failure.message)."
        }
    }

    /// 5xx, a time-out and the network; all else stays as it is until somebody changes something.
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
        // Whether somebody signs in to a hotel's network or the certificate is a stranger's, a person has to look.
        case .untrusted, .unreadable, .unknown: self = .unknown(underlying: DeliveryFailure(failure))
        }
    }

    /// From an answer whose status is not one of success.
    init(_ response: HTTPResponse) {
        guard response.status >= 300 else {
            self = .decoding(message: "it is a page, or empty, with status \(response.status)")
            return
        }
        var words = ProblemDetails(response).map { RedactedText.of($0.message) } ?? ""
        words = String(words.prefix(DeliveryFailure.longestMessage))
        // Titles and details are sentences; here they stand inside one.
        while let last = words.last, last == "." || last.isWhitespace { words.removeLast() }
        self = .server(status: response.status, message: words.isEmpty ? "it answers \(response.status)" : words)
    }
}

extension ServiceProblem {
    /// Of what a plan's server did not give.
    public init(_ problem: PlanProblem) {
        let (kind, title): (Kind, String) =
            switch problem {
            case .networkUnavailable: (.networkUnavailable, "No connection")
            case .timeout: (.timeout, "No answer")
            case .server(401, _): (.signInNeeded, "Please sign in")
            case .server(let status, _): (.server, status >= 500 ? "The server has a problem" : "Refused")
            case .decoding: (.decoding, "Strange answer")
            case .invalidURL: (.unknown, "Wrong address")
            case .cancelled: (.cancelled, "Cancelled")
            case .unknown(let failure) where failure.kind == .signInNeeded: (.signInNeeded, "Please sign in")
            case .unknown: (.unknown, "No plan")
            }
        // Sentences stand without a full stop there.
        self.init(kind, title, String(problem.displayMessage.dropLast()), isRetryable: problem.isRetryable)
    }

    /// Nothing was asked, since the network is known to be away (V12).
    public static let offline = ServiceProblem(
        .networkUnavailable, "Offline", "You are offline: a new plan is made when the network is back",
        isRetryable: true)
}

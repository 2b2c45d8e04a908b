public import SystemSupport
public import UploadQueue

/// A backend's failure as an application shows it: a title, a sentence, and whether another try may help.
public struct ServiceProblem: Error, Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        /// There is no network, or no server at the address.
        case networkUnavailable
        case timeout
        /// The backend refused, or failed.
        case server
        /// The user has to sign in.
        case signInNeeded
        /// The answer has an unexpected form.
        case decoding
        case cancelled
        case unknown
    }

    public let kind: Kind
    /// Two or three words: "No connection".
    public let title: String
    /// A sentence for a person, without a full stop. It contains no key and no token.
    public let sentence: String
    /// Whether the same request may succeed in a moment. False for refused and cancelled requests.
    public let isRetryable: Bool

    init(_ kind: Kind, _ title: String, _ sentence: String, isRetryable: Bool) {
        (self.kind, self.title, self.sentence, self.isRetryable) = (kind, title, sentence, isRetryable)
    }

    public init(_ failure: DeliveryFailure, at place: String) {
        sentence = Problem(failure, at: place).sentence
        switch failure.kind {
        case .unreachable: (kind, title, isRetryable) = (.networkUnavailable, "No connection", true)
        case .timedOut: (kind, title, isRetryable) = (.timeout, "No answer", true)
        case .transient where failure.isUnbelievable:
            (kind, title, isRetryable) = (.decoding, "Unexpected answer", true)
        case .transient: (kind, title, isRetryable) = (.server, "The server has a problem", true)
        case .signInNeeded: (kind, title, isRetryable) = (.signInNeeded, "Please sign in", false)
        case .refused, .parentMissing: (kind, title, isRetryable) = (.server, "Refused", false)
        case .cancelled: (kind, title, isRetryable) = (.cancelled, "Cancelled", false)
        case .fileMissing, .fileAltered, .unwritable: (kind, title, isRetryable) = (.unknown, "On this machine", false)
        }
    }

    /// Converts a problem with lists of templates or with accounts.
    public init(_ problem: Problem) {
        sentence = problem.sentence
        switch problem.kind {
        case .unavailable: (kind, title, isRetryable) = (.networkUnavailable, "Not available", true)
        case .denied: (kind, title, isRetryable) = (.signInNeeded, "Please sign in", false)
        case .malformed: (kind, title, isRetryable) = (.decoding, "Cannot be used", false)
        case .missing: (kind, title, isRetryable) = (.server, "Not found", false)
        case .occupied, .unwritable, .differs: (kind, title, isRetryable) = (.unknown, "On this machine", false)
        }
    }
}

extension DeliveryFailure {
    /// Whether the server claimed success with an unusable answer. The code is then the status.
    fileprivate var isUnbelievable: Bool { code.count == 3 && code.hasPrefix("2") }
}

extension Problem {
    /// Converts a failure of a backend to a problem for a person.
    init(_ failure: DeliveryFailure, at place: String) {
        let words = failure.message.isEmpty ? failure.code : failure.message
        switch failure.kind {
        case .unwritable: self.init(.unwritable, words)
        // Words that come with a code are the server's, so the sentence names the server.
        case .signInNeeded where failure.code.isEmpty:
            self.init(.denied, words.isEmpty ? "you are not signed in to \(place)" : words)
        case .signInNeeded: self.init(.denied, "\(place): \(words)")
        // Without an answer, the words usually name the server themselves.
        case .unreachable, .timedOut: self.init(.unavailable, words.contains(place) ? words : "\(place): \(words)")
        default: self.init(.unavailable, "\(place): \(words)")
        }
    }
}

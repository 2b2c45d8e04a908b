import HTTPClient
public import SystemSupport
public import UploadQueue

/// What an application shows when a backend gave nothing: a title, a sentence, and whether trying again may help (V8, V14).
public struct ServiceProblem: Error, Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        /// No network, or nobody listens there.
        case networkUnavailable
        case timeout
        /// The backend refused, or failed.
        case server
        /// Somebody has to sign in.
        case signInNeeded
        /// The answer is not what was asked for.
        case decoding
        case cancelled
        case unknown
    }

    public let kind: Kind
    /// Two or three words: "No connection".
    public let title: String
    /// For a person, without a full stop; no key, no token.
    public let sentence: String
    /// Whether the same may well succeed in a moment: never of what was refused, or cancelled.
    public let isRetryable: Bool

    init(_ kind: Kind, _ title: String, _ sentence: String, isRetryable: Bool) {
        (self.kind, self.title, self.sentence, self.isRetryable) = (kind, title, sentence, isRetryable)
    }

    public init(_ failure: DeliveryFailure, at place: String) {
        sentence = Problem(failure, at: place).sentence
        switch failure.kind {
        case .unreachable: (kind, title, isRetryable) = (.networkUnavailable, "No connection", true)
        case .timedOut: (kind, title, isRetryable) = (.timeout, "No answer", true)
        case .transient where failure.isUnbelievable: (kind, title, isRetryable) = (.decoding, "Strange answer", true)
        case .transient: (kind, title, isRetryable) = (.server, "The server has a problem", true)
        case .signInNeeded: (kind, title, isRetryable) = (.signInNeeded, "Please sign in", false)
        case .refused, .parentMissing: (kind, title, isRetryable) = (.server, "Refused", false)
        case .cancelled: (kind, title, isRetryable) = (.cancelled, "Cancelled", false)
        case .fileMissing, .fileAltered, .unwritable: (kind, title, isRetryable) = (.unknown, "On this machine", false)
        }
    }

    /// Of what threw a `Problem`: lists of templates, accounts.
    public init(_ problem: Problem) {
        sentence = problem.sentence
        switch problem.kind {
        case .unavailable: (kind, title, isRetryable) = (.networkUnavailable, "Not available", true)
        case .denied: (kind, title, isRetryable) = (.signInNeeded, "Please sign in", false)
        case .malformed: (kind, title, isRetryable) = (.decoding, "Cannot be used", false)
        case .missing: (kind, title, isRetryable) = (.server, "Not there", false)
        case .occupied, .unwritable, .differs: (kind, title, isRetryable) = (.unknown, "On this machine", false)
        }
    }
}

extension DeliveryFailure {
    /// Whether the server claimed success with an answer that cannot be used: the code is then that status.
    fileprivate var isUnbelievable: Bool { code.count == 3 && code.hasPrefix("2") }
}

extension Problem {
    /// Why a backend gave nothing, for a person.
    init(_ failure: DeliveryFailure, at place: String) {
        let words = failure.message.isEmpty ? failure.code : failure.message
        switch failure.kind {
        case .unwritable: self.init(.unwritable, words)
        // A code is a server's: the words are, too, and whose they are is said.
        case .signInNeeded where failure.code.isEmpty:
            self.init(.denied, words.isEmpty ? "nobody is signed in to \(place)" : words)
        case .signInNeeded: self.init(.denied, "\(place): \(words)")
        // Where there was no answer at all, the words say of whom.
        case .unreachable, .timedOut: self.init(.unavailable, words.contains(place) ? words : "\(place): \(words)")
        default: self.init(.unavailable, "\(place): \(words)")
        }
    }
}

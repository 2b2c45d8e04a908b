import SystemSupport
import UploadQueue

/// The reason why a quiz was not accepted, and what the user can do about it.
public struct SubmissionFailure: Error, Codable, Equatable, Sendable {
    public enum Kind: String, Codable, CaseIterable, Sendable {
        case connectionFailed
        case timeout
        /// A status of 5xx.
        case serverProblem
        /// The server is under maintenance and will return.
        case maintenance
        /// The user signs in and returns to the same place.
        case signInNeeded
        case wrongAnswerFormat
        case missingField
        /// The data here could not be encoded as JSON.
        case serialisationFailed
        /// The server's quiz differs: fetch it again.
        case inconsistent
        /// Another 4xx status.
        case refused
        case cancelled
    }

    public let kind: Kind
    /// A sentence for a person.
    public let sentence: String

    public init(_ kind: Kind, _ sentence: String) { (self.kind, self.sentence) = (kind, sentence) }

    /// Whether the same request may succeed later.
    public var isRetryable: Bool {
        switch kind {
        case .connectionFailed, .timeout, .serverProblem, .maintenance: true
        case .signInNeeded, .wrongAnswerFormat, .missingField, .serialisationFailed, .inconsistent, .refused,
            .cancelled:
            false
        }
    }

    init(_ failure: DeliveryFailure, at place: String) {
        let said = Problem(failure, at: place).sentence
        // In `409/not-in-progress`, the status precedes the code.
        let code = failure.code.split(separator: "/").last.map(String.init) ?? ""
        switch failure.kind {
        case .unreachable: self.init(.connectionFailed, "There is no connection. Your answers are kept.")
        case .timedOut: self.init(.timeout, "The server does not answer. Your answers are kept; try again.")
        case .transient where code == "maintenance":
            self.init(.maintenance, "The server is under maintenance. Your answers are kept; try again later.")
        case .transient: self.init(.serverProblem, "The server has a problem. Your answers are kept; try again.")
        case .signInNeeded: self.init(.signInNeeded, "Please sign in again to continue where you were.")
        case .cancelled: self.init(.cancelled, "The request was cancelled.")
        case .refused, .parentMissing:
            switch code {
            case "wrong-answers", "contradictory": self.init(.wrongAnswerFormat, said)
            case "malformed": self.init(.missingField, said)
            case "not-in-progress", "not-found":
                self.init(.inconsistent, "The server has different data for this quiz: \(said)")
            default: self.init(.refused, said)
            }
        case .fileMissing, .fileAltered, .unwritable: self.init(.refused, said)
        }
    }
}

extension DeliveryFailure {
    /// Returns the failure of a backend that only takes exams.
    static func noQuizzes(at place: String) -> DeliveryFailure {
        DeliveryFailure(.refused, code: "no-quizzes", message: "\(place) does not accept quizzes")
    }
}

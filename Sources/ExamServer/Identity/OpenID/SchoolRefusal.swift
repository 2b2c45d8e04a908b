import ExamNode

/// The reason why a school's sign-in was refused: for the operator's log and metrics. People see one of five words of
/// it (`word`), because the rest would help an attacker.
enum SchoolRefusal: String, CaseIterable, Sendable {
    /// No sign-in has this state, or it was used, or took too long, or was begun in another browser.
    case state
    /// The browser has no cookie of a sign-in that was begun.
    case browser
    /// The answer came to the address of another school.
    case otherSchool = "other-school"
    /// The answer names another issuer, or none although the service promises to name itself (RFC 9207).
    case answeringIssuer = "answering-issuer"
    /// The person declined.
    case cancelled
    /// The service reported an error.
    case service
    /// The answer has neither a code nor an error.
    case noCode = "no-code"
    /// The service does not accept the code: it was used before, or is another client's.
    case code
    /// The service does not accept this server's id or secret.
    case client
    /// The service cannot be reached, or its answers are unreadable or too long.
    case unreachable
    /// The service's description names another issuer, or addresses that are not safe.
    case description
    case malformed
    /// The token is signed with an algorithm that proves nothing: `none`, or HMAC.
    case algorithm
    /// The header has `crit` or `b64`.
    case criticalHeader = "critical-header"
    case unknownKey = "unknown-key"
    case signature
    case issuer
    case audience
    /// The token was made for another client (`azp`).
    case authorizedParty = "authorized-party"
    case expired
    case notYet = "not-yet"
    /// The token belongs to another sign-in.
    case nonce
    /// The access token is not the one that the token belongs to (`at_hash`).
    case accessToken = "access-token"
    case subject
    case groups
    /// No rule gives this person a role.
    case notAdmitted = "not-admitted"

    /// The word in the page's address, for which the page has a sentence.
    var word: String {
        switch self {
        case .cancelled: "cancelled"
        case .state, .browser: "expired"
        case .unreachable, .description, .client: "unavailable"
        case .notAdmitted: "not-admitted"
        default: "failed"
        }
    }

    init(_ refusal: SchoolRules.Refusal) {
        self =
            switch refusal {
            case .notAdmitted: .notAdmitted
            case .groups: .groups
            }
    }
}

/// A refused sign-in, with words for the operator.
struct SchoolFailure: Error {
    var refusal: SchoolRefusal
    /// One sentence without a full stop, a token or a name. Nil if the reason says it all.
    var sentence: String?

    init(_ refusal: SchoolRefusal, _ sentence: String? = nil) { (self.refusal, self.sentence) = (refusal, sentence) }
}

import Crypto
import ExamNode
import Foundation
import JWTKit
import SystemSupport

/// The claims of a bearer token.
struct TokenClaims: JWTPayload {
    var sub: SubjectClaim
    var exp: ExpirationClaim
    var nbf: NotBeforeClaim?
    var iss: IssuerClaim?
    var aud: Audience?
    private var own: RoleClaims
    /// The claims in `app_metadata`, which identity servers protect from their users. `user_metadata`, which users can
    /// write, is ignored.
    private var metadata: RoleClaims?

    private enum CodingKeys: String, CodingKey {
        case sub, exp, nbf, iss, aud
        case metadata = "app_metadata"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        sub = try fields.decode(SubjectClaim.self, forKey: .sub)
        exp = try fields.decode(ExpirationClaim.self, forKey: .exp)
        nbf = try fields.decodeIfPresent(NotBeforeClaim.self, forKey: .nbf)
        iss = try fields.decodeIfPresent(IssuerClaim.self, forKey: .iss)
        aud = try fields.decodeIfPresent(Audience.self, forKey: .aud)
        own = try RoleClaims(from: decoder)
        metadata = try fields.decodeIfPresent(RoleClaims.self, forKey: .metadata)
    }

    /// Always throws: this server makes no tokens.
    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "tokens are read only"))
    }

    /// The allowed clock difference in seconds, as in PostgREST (`jwtClaims`, "allowedSkew").
    static let skew = 30.0

    func verify(using algorithm: some JWTAlgorithm) throws {
        try exp.verifyNotExpired(currentDate: Date(timeIntervalSinceNow: -Self.skew))
        try nbf?.verifyNotBefore(currentDate: Date(timeIntervalSinceNow: Self.skew))
    }

    /// Returns the caller.
    ///
    /// - Throws: `subject`, `groups`.
    func caller() throws(TokenRefusal) -> Caller {
        guard let user else { throw .subject }
        let groups = own.groups.union(metadata?.groups ?? [])
        guard GroupNames.areValid(groups) else { throw .groups }
        return Caller(
            user: user, roles: own.roles.union(metadata?.roles ?? []), groups: groups,
            until: exp.value.addingTimeInterval(Self.skew))
    }

    /// The user: the subject if it is a UUID, and otherwise a fixed UUID made from issuer and subject.
    var user: UUID? {
        if let id = UUID(uuidString: sub.value) { return id }
        guard !sub.value.isEmpty, sub.value.utf8.count <= 255 else { return nil }
        return Self.user(issuer: iss?.value ?? "", subject: sub.value)
    }

    /// Returns a fixed UUID made from issuer and subject.
    static func user(issuer: String, subject: String) -> UUID {
        let digest = SHA256.hash(data: Data("\(issuer) \(subject)".utf8))
        var bytes = Array(digest.prefix(16))
        // RFC 9562, version 8: a custom form.
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

/// The audience of a token (RFC 7519, 4.1.3): any number of names, possibly zero. JWTKit's own claim crashes the
/// process if the list is empty.
struct Audience: Codable, Sendable {
    var names: [String]

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let name = try? value.decode(String.self) {
            names = [name]
        } else {
            names = try value.decode([String].self)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(names)
    }
}

/// A token's header, before anything is verified.
struct TokenHeader: Decodable {
    var alg, kid: String?
    /// Whether it requires extensions (`crit`: RFC 7515, 4.1.11; `b64`: RFC 7797). This server understands none, so it
    /// must refuse the token.
    var asksForMore: Bool

    private enum Key: CodingKey {
        case alg, kid, crit, b64
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        alg = try fields.decodeIfPresent(String.self, forKey: .alg)
        kid = try fields.decodeIfPresent(String.self, forKey: .kid)
        asksForMore = fields.contains(.crit) || fields.contains(.b64)
    }

    /// Reads the header. Nil if it is unreadable.
    init?(of token: String) {
        // JWTKit decodes the same two parts with a decoder that crashes on deep nesting.
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let data = Self.data(parts[0]), let claims = Self.data(parts[1]),
            !JSONDepth.isTooDeep(claims), let header = try? JSONDecoder().decodeForeign(Self.self, from: data)
        else { return nil }
        self = header
    }

    private static func data(_ part: Substring) -> Data? {
        let text = part.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }
}

/// The reason for refusing a token, for the operator's log and metrics, never for clients.
enum TokenRefusal: String, Error, CaseIterable {
    /// The header is not `Bearer` followed by a token.
    case otherScheme = "other-scheme"
    case tooLong = "too-long"
    /// The token does not have three parts, or their contents are unreadable, including claims of the wrong type.
    case malformed
    /// The header has `crit` or `b64`.
    case criticalHeader = "critical-header"
    /// No key has the stated name.
    case unknownKey = "unknown-key"
    case signature
    case expired
    case notYet = "not-yet"
    case issuer
    case audience
    /// `sub` is empty, or longer than 255 bytes.
    case subject
    /// There are more than 100 groups, or a name is empty, longer than 100 characters or contains control characters.
    case groups

    init(_ error: any Error) {
        guard let error = error as? JWTError else {
            self = .malformed
            return
        }
        self =
            switch error.errorType {
            case .signatureVerificationFailed: .signature
            case .claimVerificationFailure: error.failedClaim is NotBeforeClaim ? .notYet : .expired
            case .noKeyProvided, .unknownKID, .missingKIDHeader: .unknownKey
            default: .malformed
            }
    }
}

import Crypto
import ExamKit
import Foundation
import JWTKit

/// What a bearer token says of its owner.
struct TokenClaims: JWTPayload {
    var sub: SubjectClaim
    var exp: ExpirationClaim
    var nbf: NotBeforeClaim?
    var iss: IssuerClaim?
    var aud: Audience?
    private var own: RoleClaims
    /// Where identity servers put what their users cannot write themselves; `user_metadata`, which they can, is not looked at.
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

    /// Nobody makes tokens here.
    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "tokens are read only"))
    }

    /// Seconds: clocks of two machines differ, and PostgREST allows as much (`jwtClaims`, "allowedSkew").
    static let skew = 30.0

    func verify(using algorithm: some JWTAlgorithm) throws {
        try exp.verifyNotExpired(currentDate: Date(timeIntervalSinceNow: -Self.skew))
        try nbf?.verifyNotBefore(currentDate: Date(timeIntervalSinceNow: Self.skew))
    }

    /// - Throws: `subject`, `groups`.
    func caller() throws(TokenRefusal) -> Caller {
        guard let user else { throw .subject }
        let groups = own.groups.union(metadata?.groups ?? [])
        guard groups.count <= Caller.mostGroups,
            groups.allSatisfy({ name in
                1...Caller.longestGroup ~= name.count
                    && name.unicodeScalars.allSatisfy { $0.value >= 32 && !(127...159).contains($0.value) }
            })
        else { throw .groups }
        return Caller(
            user: user, roles: own.roles.union(metadata?.roles ?? []), groups: groups,
            until: exp.value.addingTimeInterval(Self.skew))
    }

    /// Whose token it is: the subject where it is a UUID, else one made of issuer and subject, the same each time.
    var user: UUID? {
        if let id = UUID(uuidString: sub.value) { return id }
        guard !sub.value.isEmpty, sub.value.utf8.count <= 255 else { return nil }
        let digest = SHA256.hash(data: Data("\(iss?.value ?? "") \(sub.value)".utf8))
        var bytes = Array(digest.prefix(16))
        // RFC 9562, version 8: made in a way of one's own.
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

/// For whom a token was made (RFC 7519, 4.1.3): one name, or any number of them, none included. JWTKit's own claim ends the process
/// where there is none.
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

/// What a token's header says, before anything is verified.
struct TokenHeader: Decodable {
    var kid: String?
    /// Whether it asks for something that whoever does not understand it must refuse (`crit`: RFC 7515, 4.1.11; `b64`: RFC 7797). Nothing
    /// of the kind is understood here.
    var asksForMore: Bool

    private enum Key: CodingKey {
        case kid, crit, b64
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        kid = try fields.decodeIfPresent(String.self, forKey: .kid)
        asksForMore = fields.contains(.crit) || fields.contains(.b64)
    }

    /// nil where it cannot be read.
    init?(of token: String) {
        // JWTKit decodes the same two parts with a decoder that what is nested too deep can end.
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

/// Why a token is refused: for the operator's log and counts, never for clients.
enum TokenRefusal: String, Error, CaseIterable {
    /// No `Bearer` and a token after it.
    case otherScheme = "other-scheme"
    case tooLong = "too-long"
    /// Not three parts, or what they hold cannot be read: a claim of another kind, too.
    case malformed
    /// `crit` or `b64`.
    case criticalHeader = "critical-header"
    /// No key has its name.
    case unknownKey = "unknown-key"
    case signature
    case expired
    case notYet = "not-yet"
    case issuer
    case audience
    /// `sub` is empty, or longer than 255 bytes.
    case subject
    /// More than 100 groups, or one whose name is empty, longer than 100 characters, or has control characters in it.
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

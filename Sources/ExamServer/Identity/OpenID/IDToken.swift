import Crypto
import ExamNode
import Foundation
import JWTKit

/// The token in which a school's sign-in service says who signed in (OpenID Connect Core 1.0, section 2), and its
/// checks (section 3.1.3.7).
struct IDToken {
    /// The values that a token must match.
    struct Expected: Sendable {
        var issuer, client, nonce: String
        /// The access token that came with it.
        var accessToken: String?
        var now: Date
    }

    /// The maximum length in bytes. Services that put hundreds of groups into tokens stay below half of it.
    static let longest = 65_536
    /// The algorithms that prove who signed. HMAC and `none` are missing on purpose.
    static let algorithms: Set = [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
    ]

    let text: String
    let header: TokenHeader
    /// The algorithm, one of `algorithms`.
    let algorithm: String

    /// Reads the header, before anything is verified.
    ///
    /// - Throws: `malformed`, `criticalHeader`, `algorithm`.
    init(_ text: String) throws(SchoolFailure) {
        guard text.utf8.count <= Self.longest, let header = TokenHeader(of: text) else {
            throw SchoolFailure(.malformed)
        }
        guard !header.asksForMore else { throw SchoolFailure(.criticalHeader) }
        guard let algorithm = header.alg, Self.algorithms.contains(algorithm) else { throw SchoolFailure(.algorithm) }
        (self.text, self.header, self.algorithm) = (text, header, algorithm)
    }

    /// Verifies signature and claims.
    ///
    /// - Parameter key: the service's key that the header names.
    /// - Returns: the claims, of which `sub` is a text.
    func claims(signedBy key: JWK, expected: Expected) async throws(SchoolFailure) -> Claims {
        let claims = try await verified(by: key)
        guard claims.text("iss") == expected.issuer else { throw SchoolFailure(.issuer) }
        let audience = claims.texts("aud")
        guard audience.contains(expected.client) else { throw SchoolFailure(.audience) }
        // A token for several programs says which one asked for it.
        guard claims.values["azp"] == nil ? audience.count == 1 : claims.text("azp") == expected.client else {
            throw SchoolFailure(.authorizedParty)
        }
        let now = expected.now.timeIntervalSince1970
        guard let end = claims.number("exp"), let begin = claims.number("iat") else { throw SchoolFailure(.malformed) }
        guard now < end + TokenClaims.skew else { throw SchoolFailure(.expired) }
        guard max(begin, claims.number("nbf") ?? begin) < now + TokenClaims.skew else { throw SchoolFailure(.notYet) }
        guard claims.text("nonce") == expected.nonce else { throw SchoolFailure(.nonce) }
        if let stated = claims.values["at_hash"] {
            guard let token = expected.accessToken, stated == .text(accessTokenHash(of: token)) else {
                throw SchoolFailure(.accessToken)
            }
        }
        guard let subject = claims.text("sub"), 1...255 ~= subject.utf8.count else { throw SchoolFailure(.subject) }
        return claims
    }

    private func verified(by key: JWK) async throws(SchoolFailure) -> Claims {
        var key = key
        let own = JWK.Algorithm(rawValue: algorithm)
        // A key without an algorithm serves that of the token. JWTKit refuses one that does not fit the kind of key.
        key.algorithm = key.algorithm ?? own
        guard let own, key.algorithm == own else { throw SchoolFailure(.algorithm) }
        key.keyIdentifier = JWKIdentifier(string: header.kid ?? "")
        do {
            // A collection of its own: a shared one would keep the algorithm of a key's first token.
            return try await JWTKeyCollection().add(jwk: key, isDefault: true).verify(text, as: Payload.self).claims
        } catch let error as JWTError where error.errorType == .malformedToken {
            throw SchoolFailure(.malformed)
        } catch {
            throw SchoolFailure(.signature)
        }
    }

    /// Returns the left half of the hash of the access token, by the algorithm's own hash (section 3.1.3.6).
    private func accessTokenHash(of token: String) -> String {
        let bytes = Data(token.utf8)
        let hash: [UInt8] =
            switch algorithm.suffix(3) {
            case "256": Array(Crypto.SHA256.hash(data: bytes))
            case "384": Array(Crypto.SHA384.hash(data: bytes))
            default: Array(Crypto.SHA512.hash(data: bytes))
            }
        return Data(hash.prefix(hash.count / 2)).base64URL
    }

    /// All claims of a token. `IDToken` checks them with the server's clock.
    private struct Payload: JWTPayload {
        var claims: Claims

        init(from decoder: any Decoder) throws { claims = Claims(try [String: ClaimValue](from: decoder)) }

        /// Always throws: this server makes no tokens.
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "tokens are read only"))
        }

        func verify(using algorithm: some JWTAlgorithm) {}
    }
}

extension Claims {
    /// Returns a claim that is one text.
    fileprivate func text(_ name: String) -> String? {
        if case .text(let text)? = values[name] { text } else { nil }
    }

    fileprivate func number(_ name: String) -> Double? {
        if case .number(let number)? = values[name] { number } else { nil }
    }
}

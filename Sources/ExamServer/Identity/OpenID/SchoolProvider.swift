import BackendAPI
import ExamNode
import Foundation
import HTTPClient
import JWTKit
import SystemSupport

/// A school's sign-in service: its description, its keys, and the exchange of a code for a token. Any thread may use
/// it.
///
/// The description is read again after an hour, the keys after five minutes. Keys are also read when a token names an
/// unknown one. If the service cannot be reached, the last ones remain valid, and it is asked again after ten seconds.
actor SchoolProvider {
    /// A service's description (OpenID Connect Discovery 1.0, section 3).
    struct Description: Decodable, Sendable {
        var issuer: String
        var authorization, token, keys: String
        var signOut: String?
        var tokenMethods: [String]?
        var challengeMethods: [String]?
        /// Whether the service names itself in its answers (RFC 9207).
        var namesItself: Bool?

        private enum CodingKeys: String, CodingKey {
            case issuer
            case authorization = "authorization_endpoint"
            case token = "token_endpoint"
            case keys = "jwks_uri"
            case signOut = "end_session_endpoint"
            case tokenMethods = "token_endpoint_auth_methods_supported"
            case challengeMethods = "code_challenge_methods_supported"
            case namesItself = "authorization_response_iss_parameter_supported"
        }
    }

    /// The tokens that a code was exchanged for.
    struct Tokens: Decodable, Sendable {
        var idToken: String
        var accessToken: String?

        private enum CodingKeys: String, CodingKey {
            case idToken = "id_token"
            case accessToken = "access_token"
        }
    }

    let school: SchoolSettings.School
    private let secret: String?
    private let client = CurlClient(timeout: .seconds(10))
    private var described: (description: Description, at: Duration)?
    /// When the description was last asked for, in vain or not.
    private var askedAt: Duration?
    private var keys: [JWK] = []
    private var keysReadAt: Duration?
    /// When the keys were last asked for, in vain or not.
    private var keysAskedAt: Duration?

    private static let descriptionLifetime = Duration.seconds(3_600)
    private static let keysLifetime = Duration.seconds(300)

    /// The waits for a service.
    struct Patience: Sendable {
        /// The least time between two requests for the description, or for the keys, while the last ones remain valid.
        var pause = Duration.seconds(10)
        /// The limit for a pause without a byte.
        var idle = Duration.seconds(5)
    }

    private let patience: Patience

    /// - Parameter secret: this server's secret at the service. Nil if it has none.
    init(_ school: SchoolSettings.School, secret: String?, patience: Patience = Patience()) {
        (self.school, self.secret, self.patience) = (school, secret, patience)
    }

    // MARK: Description and keys

    /// Returns the service's description.
    func description() async throws(SchoolFailure) -> Description {
        if let described, SteadyClock.now - described.at < Self.descriptionLifetime || mustWait(since: askedAt) {
            return described.description
        }
        askedAt = SteadyClock.now
        do throws(SchoolFailure) {
            let place = (school.issuer.hasSuffix("/") ? String(school.issuer.dropLast()) : school.issuer)
            let fresh = try await read(Description.self, at: place + "/.well-known/openid-configuration")
            try check(fresh)
            described = (fresh, SteadyClock.now)
            return fresh
        } catch {
            // A service that now names another issuer is not believed any more.
            guard let described, error.refusal == .unreachable else {
                self.described = nil
                throw error
            }
            return described.description
        }
    }

    private func check(_ fresh: Description) throws(SchoolFailure) {
        guard fresh.issuer == school.issuer else {
            throw SchoolFailure(
                .description,
                "the service at \(school.issuer) names another issuer in its openid-configuration; "
                    + "write the issuer exactly as it stands there")
        }
        let isHere = URLComponents(string: school.issuer)?.scheme == "http"
        for address in [fresh.authorization, fresh.token, fresh.keys] + [fresh.signOut].compactMap({ $0 }) {
            guard let url = URLComponents(string: address), let host = url.host, url.user == nil, url.fragment == nil,
                url.scheme == "https" || url.scheme == "http" && isHere && LocalHost.isThisMachine(host)
            else {
                throw SchoolFailure(
                    .description, "the service at \(school.issuer) has an address that is not https")
            }
        }
        guard fresh.challengeMethods?.contains("S256") ?? true else {
            throw SchoolFailure(
                .description, "the service at \(school.issuer) does not offer PKCE with S256; turn it on there")
        }
    }

    /// Returns the key that a token's header names.
    func key(for header: TokenHeader) async throws(SchoolFailure) -> JWK {
        let isOld = keysReadAt.map { SteadyClock.now - $0 > Self.keysLifetime } ?? true
        if keys.isEmpty || (isOld || known(header) == nil) && !mustWait(since: keysAskedAt) {
            keysAskedAt = SteadyClock.now
            do throws(SchoolFailure) {
                keys = try await read(KeySet.self, at: try await description().keys).keys.compactMap(\.key)
                keysReadAt = SteadyClock.now
            } catch {
                if keys.isEmpty { throw error }
            }
        }
        guard let key = known(header) else { throw SchoolFailure(.unknownKey) }
        return key
    }

    private func mustWait(since asked: Duration?) -> Bool {
        asked.map { SteadyClock.now - $0 < patience.pause } ?? false
    }

    /// Returns the named key. A token that names none is tried with the only key.
    private func known(_ header: TokenHeader) -> JWK? {
        guard let kid = header.kid else { return keys.count == 1 ? keys[0] : nil }
        return keys.first { $0.keyIdentifier?.string == kid }
    }

    /// A set of keys, of which some may be for other purposes or of kinds that this server does not know.
    private struct KeySet: Decodable, Sendable {
        var keys: [Entry]

        struct Entry: Decodable, Sendable {
            /// Nil if it is not for signatures.
            var key: JWK?

            private enum CodingKeys: String, CodingKey { case use }

            init(from decoder: any Decoder) throws {
                let use = try? decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .use)
                key = use ?? "sig" == "sig" ? try? JWK(from: decoder) : nil
            }
        }
    }

    // MARK: Codes

    /// Exchanges a code for tokens. The code is sent once.
    ///
    /// - Throws: `code`, `client`, `unreachable`, `description`, `malformed`.
    func tokens(for code: String, verifier: String, redirect: String) async throws(SchoolFailure) -> Tokens {
        let description = try await self.description()
        var fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
            ("code_verifier", verifier), ("client_id", school.client),
        ]
        var headers = [("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded")]
        if let secret {
            // RFC 6749, 2.3.1: services must support the header; some offer only the field.
            let methods = description.tokenMethods ?? []
            if methods.contains("client_secret_post"), !methods.contains("client_secret_basic") {
                fields.append(("client_secret", secret))
            } else {
                let pair = "\(school.client.inQuery):\(secret.inQuery)"
                headers.append(("Authorization", "Basic " + Data(pair.utf8).base64EncodedString()))
            }
        }
        var request = HTTPRequest(
            "POST", description.token, headers: headers, body: .bytes(Array(FormText.of(fields).utf8)))
        request.isAlone = true
        let answer = try await exchange(request)
        guard answer.status == 200 else { throw Self.refusal(answer, of: school.issuer) }
        guard let tokens = try? JSONDecoder().decodeForeign(Tokens.self, from: Data(answer.body)) else {
            throw SchoolFailure(.malformed, "the service at \(school.issuer) sent no id_token for a code")
        }
        return tokens
    }

    private static func refusal(_ answer: HTTPClient.HTTPResponse, of issuer: String) -> SchoolFailure {
        struct Said: Decodable { var error: String }
        let said = try? JSONDecoder().decodeForeign(Said.self, from: Data(answer.body))
        switch said?.error {
        case "invalid_grant": return SchoolFailure(.code)
        case "invalid_client", "unauthorized_client":
            return SchoolFailure(
                .client, "the service at \(issuer) does not accept this server's client or secret; check both")
        default:
            return SchoolFailure(.unreachable, "the service at \(issuer) answered \(answer.status) to a code")
        }
    }

    // MARK: Requests

    private func read<Value: Decodable>(_ type: Value.Type, at address: String) async throws(SchoolFailure) -> Value {
        let answer = try await exchange(HTTPRequest("GET", address, headers: [("Accept", "application/json")]))
        guard answer.status == 200 else {
            throw SchoolFailure(.unreachable, "\(address): answered \(answer.status) instead of 200")
        }
        guard let value = try? JSONDecoder().decodeForeign(type, from: Data(answer.body)) else {
            throw SchoolFailure(.unreachable, "\(address): is not what OpenID Connect has there")
        }
        return value
    }

    private func exchange(_ request: HTTPClient.HTTPRequest) async throws(SchoolFailure) -> HTTPClient.HTTPResponse {
        var limits = HTTPLimits()
        limits.connect = .seconds(5)
        limits.idle = patience.idle
        limits.responseBytes = 256 * 1024
        do throws(HTTPFailure) {
            return try await client.exchange(request, limits: limits)
        } catch {
            throw SchoolFailure(
                .unreachable, "the service at \(school.issuer) cannot be reached: \(error.sentence)")
        }
    }
}

/// The form in which browsers send fields: `name=value&name=value`.
enum FormText {
    static func of(_ fields: [(String, String)]) -> String {
        fields.map { "\($0.0.inQuery)=\($0.1.inQuery)" }.joined(separator: "&")
    }

    /// Returns an address with fields added to its query.
    static func address(_ address: String, _ fields: [(String, String)]) -> String {
        address + (address.contains("?") ? "&" : "?") + of(fields)
    }
}

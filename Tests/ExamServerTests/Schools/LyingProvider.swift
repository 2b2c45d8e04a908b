import Crypto
import Foundation
import HTTPClient
import LoopbackServers
import Synchronization

/// A school's sign-in service on loopback. It follows OpenID Connect strictly and takes each code once, with its
/// client, secret, address and verifier; or it lies in one way.
final class LyingProvider: Sendable {
    /// The ways in which it lies.
    enum Lie: Sendable {
        case none
        /// Changes the claims of the next token.
        case claims(@Sendable (inout [String: Any]) -> Void)
        /// Replaces the header of the next token.
        case header([String: String])
        /// Signs the next token with a key that is not in the set, under the name of one that is.
        case foreignKey
        /// Signs the next token by HMAC, with the public key as the secret.
        case publicKeyAsSecret
        /// Sends this text as the next token.
        case token(String)
        /// Answers at a path in this way.
        case answer(String, HTTPClient.HTTPResponse)
        /// Changes the description.
        case description(@Sendable (inout [String: Any]) -> Void)
    }

    static let client = "oracy:elm"
    static let secret = "a-secret,with:signs+and/more%41"

    private struct Given {
        var challenge, redirect, nonce: String
        /// The claims as JSON.
        var claims: Data
        var isUsed = false
    }

    private struct State {
        var lie = Lie.none
        var key = P256.Signing.PrivateKey()
        var kid = "key-1"
        var given: [String: Given] = [:]
        /// Secrets and words of people, which no log may contain.
        var secrets: Set<String> = []
        var keysRead = 0
    }

    private final class Box: Sendable {
        let state = Mutex(State())
        let clock: SetClock
        init(clock: SetClock) { self.clock = clock }
    }

    private let box: Box
    private let server: HTTPServer

    var issuer: String { server.url }
    /// Secrets and words of people that it has sent or received so far.
    var secrets: Set<String> { box.state.withLock { $0.secrets } }
    /// The number of requests for its keys so far.
    var keysRead: Int { box.state.withLock { $0.keysRead } }

    init(clock: SetClock) throws {
        let box = Box(clock: clock)
        self.box = box
        server = try HTTPServer { request in
            let url = URLComponents(string: request.url)
            let own = "http://\(url?.host ?? ""):\(url?.port ?? 0)"
            return Self.answer(request, at: url?.path ?? "", issuer: own, box)
        }
    }

    func stop() { server.stop() }

    func lie(_ lie: Lie) { box.state.withLock { $0.lie = lie } }

    /// Replaces the key that signs.
    func rotate() {
        box.state.withLock { state in
            state.key = P256.Signing.PrivateKey()
            state.kid = "key-\(UUID().uuidString)"
        }
    }

    /// Lets a person agree at the address to which the page sent the browser.
    ///
    /// - Returns: The fields with which the browser is sent back. Nil if the address is not that of a correct request.
    func agree(_ address: String, as claims: [String: Any]) -> [String: String]? {
        let url = URLComponents(string: address)
        let fields = Dictionary((url?.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { _, _ in "twice" }
        guard url?.path == "/authorize", fields["response_type"] == "code", fields["client_id"] == Self.client,
            let redirect = fields["redirect_uri"], let challenge = fields["code_challenge"], challenge.utf8.count == 43,
            fields["code_challenge_method"] == "S256", let nonce = fields["nonce"], let state = fields["state"],
            fields["scope"]?.split(separator: " ").contains("openid") == true
        else { return nil }
        let code = "code-\(UUID().uuidString)"
        let words = [code, nonce, state] + claims.values.compactMap { $0 as? String }
        let written = (try? JSONSerialization.data(withJSONObject: claims)) ?? Data()
        box.state.withLock { box in
            box.secrets.formUnion(words)
            box.given[code] = Given(challenge: challenge, redirect: redirect, nonce: nonce, claims: written)
        }
        return ["code": code, "state": state, "iss": issuer]
    }

    // MARK: Answers

    private static func answer(
        _ request: HTTPClient.HTTPRequest, at path: String, issuer: String, _ box: Box
    ) -> HTTPClient.HTTPResponse {
        box.state.withLock { state in
            if case .answer(path, let answer) = state.lie { return answer }
            switch path {
            case "/.well-known/openid-configuration":
                var description: [String: Any] = [
                    "issuer": issuer, "authorization_endpoint": issuer + "/authorize",
                    "token_endpoint": issuer + "/token", "jwks_uri": issuer + "/keys",
                    "end_session_endpoint": issuer + "/end?theme=elm", "code_challenge_methods_supported": ["S256"],
                    "authorization_response_iss_parameter_supported": true,
                ]
                if case .description(let change) = state.lie { change(&description) }
                return json(description)
            case "/keys":
                state.keysRead += 1
                let point = state.key.publicKey.rawRepresentation
                let key: [String: Any] = [
                    "kty": "EC", "crv": "P-256", "use": "sig", "kid": state.kid, "x": plain(point.prefix(32)),
                    "y": plain(point.suffix(32)),
                ]
                // Keys for other purposes, and of unknown kinds, are in many sets.
                let others: [[String: Any]] = [
                    ["kty": "oct", "k": "c2VjcmV0", "kid": "sealed"], ["kty": "RSA", "use": "enc", "kid": "hidden"],
                    ["kty": "XYZ", "alg": "X1", "kid": "unheard-of"],
                ]
                return json(["keys": others + [key]])
            case "/token": return token(request, issuer: issuer, &state, now: box.clock.now())
            default: return HTTPResponse(status: 404)
            }
        }
    }

    private static func token(
        _ request: HTTPClient.HTTPRequest, issuer: String, _ state: inout State, now: Date
    ) -> HTTPClient.HTTPResponse {
        // RFC 6749, 2.3.1: both parts are escaped like fields of a form.
        let basic = request.headers.first { $0.name == "Authorization" }?.value.dropFirst("Basic ".count) ?? ""
        let pair = Data(base64Encoded: String(basic)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let parts = pair.split(separator: ":").map { String($0).removingPercentEncoding }
        guard request.method == "POST", parts == [client, secret] else {
            return json(["error": "invalid_client"], status: 401)
        }
        var body = URLComponents()
        if case .bytes(let bytes) = request.body { body.percentEncodedQuery = String(decoding: bytes, as: UTF8.self) }
        let fields = Dictionary((body.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { _, _ in "twice" }
        let (code, verifier) = (fields["code"] ?? "", fields["code_verifier"] ?? "")
        state.secrets.insert(verifier)
        guard fields["grant_type"] == "authorization_code", let given = state.given[code], !given.isUsed,
            fields["redirect_uri"] == given.redirect, 43...128 ~= verifier.utf8.count,
            plain(Crypto.SHA256.hash(data: Data(verifier.utf8))) == given.challenge
        else { return json(["error": "invalid_grant"], status: 400) }
        state.given[code]?.isUsed = true
        let access = "access-\(UUID().uuidString)"
        var claims = (try? JSONSerialization.jsonObject(with: given.claims)) as? [String: Any] ?? [:]
        claims.merge(
            [
                "iss": issuer, "aud": client, "nonce": given.nonce, "iat": Int(now.timeIntervalSince1970),
                "exp": Int(now.timeIntervalSince1970) + 300,
                "at_hash": plain(Array(Crypto.SHA256.hash(data: Data(access.utf8))).prefix(16)),
            ]
        ) { own, _ in own }
        if case .claims(let change) = state.lie { change(&claims) }
        let token = signed(claims, state)
        state.secrets.formUnion([access, token])
        return json(["access_token": access, "token_type": "Bearer", "expires_in": 300, "id_token": token])
    }

    private static func signed(_ claims: [String: Any], _ state: State) -> String {
        if case .token(let text) = state.lie { return text }
        var header = ["alg": "ES256", "typ": "JWT", "kid": state.kid]
        if case .header(let other) = state.lie { header = other }
        if case .publicKeyAsSecret = state.lie { header["alg"] = "HS256" }
        let data = try? JSONSerialization.data(withJSONObject: claims)
        let head = try? JSONSerialization.data(withJSONObject: header)
        let content = "\(plain(head ?? Data())).\(plain(data ?? Data()))"
        switch state.lie {
        case .publicKeyAsSecret:
            let secret = SymmetricKey(data: Data(state.key.publicKey.pemRepresentation.utf8))
            let code = HMAC<Crypto.SHA256>.authenticationCode(for: Data(content.utf8), using: secret)
            return "\(content).\(plain(code))"
        case .header(let other) where other["alg"] == "none": return content + "."
        default:
            var key = state.key
            if case .foreignKey = state.lie { key = P256.Signing.PrivateKey() }
            let signature = (try? key.signature(for: Data(content.utf8)).rawRepresentation) ?? Data()
            return "\(content).\(plain(signature))"
        }
    }

    private static func json(_ value: [String: Any], status: Int = 200) -> HTTPClient.HTTPResponse {
        let data = (try? JSONSerialization.data(withJSONObject: value)) ?? Data()
        return HTTPResponse(status: status, headers: ["content-type": "application/json"], body: Array(data))
    }

    private static func plain(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

import Foundation
import HTTPClient

@testable import Backends

/// GoTrue as section 5 has it: tokens rotate, and what happens to one that comes a second time.
struct FakeAuth: Sendable {
    struct Token: Sendable {
        var text: String
        var session: Int
        var parent: String?
        /// When it was exchanged for the next.
        var usedAt: Int?
    }

    static let email = "candidate@example.org"
    static let password = "correct horse"
    static let user = "7b0c4c36-0000-4000-8000-00000000abcd"

    /// Seconds for which an access token is good, and during which a used refresh token is forgiven.
    var lifetime = 3_600
    var reuseInterval = 10
    /// Users' sessions that are over, and why: `session_expired` …
    var ended: [Int: String] = [:]
    var refreshTokens: [Token] = []
    /// Access tokens that this server made; of each, when it expires.
    var accessTokens: [String: Int] = [:]
    var refreshes = 0
    private var sessions = 0
    private var made = 0

    mutating func answer(_ call: FakeCall, _ complaints: inout [String]) -> HTTPResponse {
        guard call.method == "POST", call.path == "/auth/v1/token", call["Content-Type"] == "application/json" else {
            complaints.append("not how tokens are asked for")
            return .json(404, ["code": 404, "msg": "not found"])
        }
        if call["Authorization"] != nil { complaints.append("a user's token where none is wanted") }
        let fields = call.fields
        switch call.parts.queryItems?.first(where: { $0.name == "grant_type" })?.value {
        case "password":
            guard fields["email"] as? String == Self.email, fields["password"] as? String == Self.password else {
                return Self.refusal("invalid_credentials", "Invalid login credentials", call)
            }
            sessions += 1
            return tokens(next(in: sessions, after: nil, call.now), call.now)
        case "refresh_token":
            refreshes += 1
            return refresh(fields["refresh_token"] as? String ?? "", call)
        default:
            complaints.append("an unknown grant")
            return Self.refusal("validation_failed", "unsupported_grant_type", call)
        }
    }

    private mutating func refresh(_ text: String, _ call: FakeCall) -> HTTPResponse {
        guard let index = refreshTokens.firstIndex(where: { $0.text == text }) else {
            return Self.refusal("refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found", call)
        }
        let token = refreshTokens[index]
        if let why = ended[token.session] {
            return Self.refusal(why, "Invalid Refresh Token: \(why) \(Self.email)", call)
        }
        guard let usedAt = token.usedAt else {
            refreshTokens[index].usedAt = call.now
            return tokens(next(in: token.session, after: text, call.now), call.now)
        }
        // Forgiven: the one that came of it was never used, or it is the same moment.
        let active = refreshTokens.last { $0.session == token.session && $0.usedAt == nil }
        if let active, active.parent == text || call.now - usedAt <= reuseInterval { return tokens(active, call.now) }
        ended[token.session] = "refresh_token_already_used"
        return Self.refusal("refresh_token_already_used", "Invalid Refresh Token: Already Used", call)
    }

    private mutating func next(in session: Int, after parent: String?, _ now: Int) -> Token {
        made += 1
        let token = Token(text: "refresh-\(session)-\(made)", session: session, parent: parent)
        refreshTokens.append(token)
        return token
    }

    private mutating func tokens(_ refresh: Token, _ now: Int) -> HTTPResponse {
        made += 1
        let claims: [String: Any] = [
            "sub": Self.user, "role": "authenticated", "iat": now, "exp": now + lifetime, "jti": made,
        ]
        let payload = (try? JSONSerialization.data(withJSONObject: claims, options: .sortedKeys)) ?? Data()
        let access = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.\(payload.base64URL).signature-\(made)"
        accessTokens[access] = now + lifetime
        return .json(
            200,
            [
                "access_token": access, "token_type": "bearer", "expires_in": lifetime, "expires_at": now + lifetime,
                "refresh_token": refresh.text, "user": ["id": Self.user, "email": Self.email],
            ])
    }

    /// Two forms, by the header of the version.
    private static func refusal(_ code: String, _ words: String, _ call: FakeCall) -> HTTPResponse {
        if call["X-Supabase-Api-Version"] == "2024-01-01" { return .json(400, ["code": code, "message": words]) }
        return .json(400, ["code": 400, "error_code": code, "msg": words])
    }

    /// What is wrong with a bearer token.
    enum Flaw: Equatable {
        case parts(Int)
        case unknown
        case expired(since: Int)
    }

    func flaw(in bearer: String, at now: Int) -> Flaw? {
        let parts = bearer.split(separator: ".", omittingEmptySubsequences: false).count
        if parts != 3 { return .parts(parts) }
        guard let end = accessTokens[bearer] else { return .unknown }
        return now >= end ? .expired(since: now - end) : nil
    }
}

extension Data {
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    init?(base64URL text: String) {
        let text = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4))
    }
}

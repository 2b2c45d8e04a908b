import Foundation
import HTTPClient

/// A stand-in for GoTrue: refresh tokens rotate, and the second use of one may end its session.
public struct StandInAuth: Sendable {
    public struct Token: Sendable {
        public var text: String
        public var session: Int
        public var parent: String?
        /// The time at which it was exchanged for the next.
        public var usedAt: Int?
    }

    struct User: Sendable {
        var id: String
        var email: String
        var password: String?
        var isConfirmed = true
    }

    /// The content of an e-mail.
    public struct Mail: Equatable, Sendable {
        public var to: String
        /// `email`, `signup`, `magiclink`, `recovery`.
        public var kind: String
        /// The six digits of the code.
        public var token: String
        /// The hash that replaces the token in the message's link: `/auth/v1/verify?token=…&type=…`.
        public var hash: String
    }

    public static let email = "candidate@example.org"
    public static let password = "correct horse"
    public static let user = "7b0c4c36-0000-4000-8000-00000000abcd"

    /// The lifetime of an access token, and the grace period of a used refresh token, in seconds.
    public var lifetime = 3_600
    public var reuseInterval = 10
    /// The ended sessions with their reasons: `session_expired` …
    public var ended: [Int: String] = [:]
    public var refreshTokens: [Token] = []
    /// The valid access tokens of this server with their expiry.
    public var accessTokens: [String: Int] = [:]
    public var refreshes = 0
    /// Whether a new user has to open an e-mail first.
    public var confirmsEmail = false
    public var mails: [Mail] = []
    /// Called for each e-mail, since there is no mailbox.
    public var mailed: @Sendable (Mail) -> Void = { _ in }
    var users: [User] = [User(id: user, email: email, password: password)]
    /// The owner of each session by its number.
    var owners: [Int: String] = [:]
    private var sessions = 0
    private var made = 0

    /// Invalidates all access tokens. Refresh tokens stay valid.
    public mutating func rotateSecret() { accessTokens = [:] }

    mutating func answer(
        _ call: StandInCall, _ database: StandInDatabase, _ complaints: inout [String]
    ) -> HTTPResponse {
        let route = "\(call.method) \(call.path.replacing("/auth/v1/", with: ""))"
        if ["POST", "PUT"].contains(call.method), !call.body.isEmpty,
            call["Content-Type"]?.hasPrefix("application/json") != true
        {
            complaints.append("not JSON")
            return Self.refusal(400, "bad_json", "Could not parse request body as JSON", call)
        }
        switch route {
        case "POST token": return token(call, &complaints)
        case "POST signup": return signUp(call, database)
        case "POST otp", "POST magiclink": return sendCode(call, database)
        case "POST verify": return verify(call)
        case "POST recover": return recover(call)
        case "GET user", "PUT user": return user(call)
        case "POST logout": return signOut(call)
        case "GET health":
            return .json(
                200,
                [
                    "version": "v2.180.0", "name": "GoTrue",
                    "description": "GoTrue is a user registration and authentication API",
                ])
        default:
            complaints.append("not a route of the sign-in service")
            return .json(404, ["code": 404, "msg": "not found"])
        }
    }

    // MARK: - Tokens

    private mutating func token(_ call: StandInCall, _ complaints: inout [String]) -> HTTPResponse {
        if call["Authorization"] != nil { complaints.append("an unwanted user's token") }
        let fields = call.fields
        switch call.value("grant_type") {
        case "password":
            guard let user = users.first(where: { $0.email == (fields["email"] as? String)?.lowercased() }),
                let password = user.password, fields["password"] as? String == password
            else { return Self.refusal(400, "invalid_credentials", "Invalid login credentials", call) }
            guard user.isConfirmed else {
                return Self.refusal(400, "email_not_confirmed", "Email not confirmed", call)
            }
            return signedIn(user, call.now)
        case "refresh_token":
            refreshes += 1
            return refresh(fields["refresh_token"] as? String ?? "", call)
        default:
            complaints.append("an unknown grant")
            return Self.refusal(400, "validation_failed", "unsupported_grant_type", call)
        }
    }

    mutating func signedIn(_ user: User, _ now: Int) -> HTTPResponse {
        sessions += 1
        owners[sessions] = user.id
        return tokens(next(in: sessions, after: nil), now)
    }

    private mutating func refresh(_ text: String, _ call: StandInCall) -> HTTPResponse {
        guard let index = refreshTokens.firstIndex(where: { $0.text == text }) else {
            return Self.refusal(
                400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found", call)
        }
        let token = refreshTokens[index]
        if let why = ended[token.session] {
            return Self.refusal(400, why, "Invalid Refresh Token: \(why) \(Self.email)", call)
        }
        guard let usedAt = token.usedAt else {
            refreshTokens[index].usedAt = call.now
            return tokens(next(in: token.session, after: text), call.now)
        }
        // Accepted: its successor was never used, or it is within the grace period.
        let active = refreshTokens.last { $0.session == token.session && $0.usedAt == nil }
        if let active, active.parent == text || call.now - usedAt <= reuseInterval { return tokens(active, call.now) }
        ended[token.session] = "refresh_token_already_used"
        return Self.refusal(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used", call)
    }

    private mutating func next(in session: Int, after parent: String?) -> Token {
        made += 1
        let token = Token(text: "refresh-\(session)-\(made)", session: session, parent: parent)
        refreshTokens.append(token)
        return token
    }

    private mutating func tokens(_ refresh: Token, _ now: Int) -> HTTPResponse {
        made += 1
        let user = users.first { $0.id == owners[refresh.session] } ?? users[0]
        let claims: [String: Any] = [
            "sub": user.id, "role": "authenticated", "aud": "authenticated", "email": user.email, "iat": now,
            "exp": now + lifetime, "jti": made, "session_id": refresh.session,
        ]
        let payload = (try? JSONSerialization.data(withJSONObject: claims, options: .sortedKeys)) ?? Data()
        let access = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.\(payload.base64URL).signature-\(made)"
        accessTokens[access] = now + lifetime
        return .json(
            200,
            [
                "access_token": access, "token_type": "bearer", "expires_in": lifetime, "expires_at": now + lifetime,
                "refresh_token": refresh.text, "user": Self.json(user),
            ] as [String: Any])
    }

    static func json(_ user: User) -> [String: Any] {
        ["id": user.id, "aud": "authenticated", "role": "authenticated", "email": user.email]
    }

    /// Returns an error in one of two forms, depending on the header `X-Supabase-Api-Version`.
    static func refusal(_ status: Int, _ code: String, _ words: String, _ call: StandInCall) -> HTTPResponse {
        if call["X-Supabase-Api-Version"] == "2024-01-01" { return .json(status, ["code": code, "message": words]) }
        return .json(status, ["code": status, "error_code": code, "msg": words] as [String: Any])
    }

    // MARK: - Bearer tokens

    /// The reason why a token is invalid.
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

    /// Returns the claims of a token as JSON. They can be trusted only for a token without a flaw.
    static func claims(of bearer: String) -> String {
        let parts = bearer.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3
            ? Data(base64URL: String(parts[1])).map { String(decoding: $0, as: UTF8.self) } ?? "{}" : "{}"
    }

    static func fields(of bearer: String) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(claims(of: bearer).utf8)) as? [String: Any]) ?? [:]
    }
}

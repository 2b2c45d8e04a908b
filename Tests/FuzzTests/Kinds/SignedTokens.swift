import Crypto
import Foundation

@testable import ExamServer

/// Bearer tokens that the right key signed, with claims and headers that no sign-in sends, and invalid tokens.
struct SignedTokens: FuzzKind {
    static let name = "tokens"
    static let share = 120_000

    static let secret = "a secret of the tests, long enough for HS256"
    private let keys: [TokenKeys] = [
        TokenKeys(.secret(Array(secret.utf8))),
        TokenKeys(.secret(Array(secret.utf8)), issuer: "school", audience: "exams"),
    ]

    func attempt(_ chance: inout Chance) async throws {
        let header = Self.header.changed(&chance, once: 3)
        let claims = Self.claims(around: Date().timeIntervalSince1970).changed(&chance, once: 8)
        var token = Self.token(header.written, claims.written)
        let isGarbage = chance.once(in: 5)
        if isGarbage { token = token.spoiled(&chance) }
        let keys = chance.one(of: keys)
        try await keys.load()
        do throws(TokenRefusal) {
            _ = try await keys.caller(of: token)
        } catch {}
        // The whole header field of a request, with spaces and schemes.
        let field = chance.one(of: ["Bearer ", "bearer  ", "Basic ", "", "Bearer\u{A0}"]) + token
        _ = try? await SignIn.tokens(keys).caller(of: chance.once(in: 8) ? field.spoiled(&chance) : field)
    }

    private static let header: JSON = ["alg": "HS256", "typ": "JWT", "kid": "key-1"]

    private static func claims(around now: Double) -> JSON {
        [
            "sub": "8d0f3a55-7b29-4f0e-9f64-5f3f2f6f3a11", "exp": .word(String(Int(now) + 3_600)),
            "nbf": .word(String(Int(now) - 10)), "iat": .word(String(now)), "iss": "school", "aud": ["exams", "notes"],
            "role": "authenticated", "app_metadata": ["provider": "email"],
        ]
    }

    /// Returns a token with a valid signature and any contents.
    static func token(_ header: String, _ claims: String) -> String {
        let what = plain(Data(header.utf8)) + "." + plain(Data(claims.utf8))
        let code = HMAC<Crypto.SHA256>.authenticationCode(
            for: Data(what.utf8), using: SymmetricKey(data: Data(secret.utf8)))
        return what + "." + plain(Data(code))
    }

    private static func plain(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension JSON {
    /// Returns a changed value, or the value itself once in `count` times.
    func changed(_ chance: inout Chance, once count: Int) -> JSON {
        chance.once(in: count) ? self : changed(&chance)
    }
}

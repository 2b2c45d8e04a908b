import Foundation

/// The claims of a JSON Web Token. Only its server can verify them.
struct AccessToken: Equatable {
    let text: String
    /// The expiry in seconds since 1970 by the server's clock.
    var expiresAt: Int? { (claims["exp"] as? NSNumber)?.intValue }
    /// The user's id.
    var subject: String? { claims["sub"] as? String }
    var role: String? { claims["role"] as? String }
    /// Whether it has three parts, of which the first two are JSON.
    var isToken: Bool { text.split(separator: ".", omittingEmptySubsequences: false).count == 3 && !claims.isEmpty }

    init(_ text: String) {
        self.text = text
    }

    private var claims: [String: Any] {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return [:] }
        // Base64 for URLs (RFC 4648, section 5), without padding.
        var payload = parts[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        payload += Array(repeating: "=", count: (4 - payload.count % 4) % 4)
        guard
            let data = Data(base64Encoded: String(payload)),
            let claims = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return [:] }
        return claims
    }
}

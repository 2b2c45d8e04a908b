import Crypto
import Foundation

/// Bearer tokens of the benchmark's own users, as a sign-in service would sign them: HS256 (RFC 7515), good for a day.
struct UserToken {
    let text: String

    /// - Parameter secret: the server's, 32 bytes at least.
    init(of user: UUID, secret: String) {
        let expiry = Int(Date().timeIntervalSince1970) + 86_400
        let claims = #"{"sub":"\#(user.uuidString.lowercased())","exp":\#(expiry)}"#
        let signed = Self.base64url(#"{"alg":"HS256","typ":"JWT"}"#.utf8) + "." + Self.base64url(claims.utf8)
        let code = HMAC<Crypto.SHA256>.authenticationCode(
            for: Data(signed.utf8), using: SymmetricKey(data: Data(secret.utf8)))
        text = signed + "." + Self.base64url(code)
    }

    private static func base64url(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

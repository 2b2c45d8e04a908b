import Crypto
import Foundation

/// A bearer token for a user of the benchmark, in a sign-in service's form: HS256 (RFC 7515), valid for a day.
struct UserToken {
    let text: String

    /// - Parameter secret: The server's secret, at least 32 bytes.
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

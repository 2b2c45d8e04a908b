import Crypto
import Foundation
import SystemSupport

/// Signs webhooks as Standard Webhooks 1.0 says: HMAC-SHA256 over `id.timestamp.body`.
struct WebhookSecret: Sendable {
    private static let prefix = "whsec_"
    private let key: SymmetricKey

    /// - Parameters:
    ///   - text: `whsec_` and base64 of 24 to 64 bytes.
    ///   - name: whose it is, for what is said of a wrong one.
    /// - Throws: `Problem.malformed`.
    init(_ text: String, of name: String) throws(Problem) {
        guard text.hasPrefix(Self.prefix), let bytes = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
            24...64 ~= bytes.count
        else {
            throw Problem(
                .malformed,
                "\(name): its secret should be whsec_ and 24 to 64 bytes in base64; make one with "
                    + "\"echo whsec_$(openssl rand -base64 32)\"")
        }
        key = SymmetricKey(data: bytes)
    }

    /// `v1,` and the signature in base64.
    ///
    /// - Parameter time: of this try, seconds since 1970.
    func signature(id: String, time: Int, body: [UInt8]) -> String {
        let signed = Array("\(id).\(time).".utf8) + body
        return "v1," + Data(HMAC<Crypto.SHA256>.authenticationCode(for: signed, using: key)).base64EncodedString()
    }
}

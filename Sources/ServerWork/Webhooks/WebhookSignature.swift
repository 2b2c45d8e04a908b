import Crypto
import Foundation
import SystemSupport

/// Signs webhooks according to Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`.
struct WebhookSecret: Sendable {
    private static let prefix = "whsec_"
    private let key: SymmetricKey

    /// Creates a secret.
    ///
    /// - Parameters:
    ///   - text: `whsec_` and Base64 of 24 to 64 bytes.
    ///   - name: the endpoint's name, for errors.
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

    /// Returns `v1,` and the signature in Base64.
    ///
    /// - Parameter time: the time of this attempt in seconds since 1970.
    func signature(id: String, time: Int, body: [UInt8]) -> String {
        let signed = Array("\(id).\(time).".utf8) + body
        return "v1," + Data(HMAC<Crypto.SHA256>.authenticationCode(for: signed, using: key)).base64EncodedString()
    }
}

import Foundation
import SystemSupport

/// An address that is valid for one method, one object and some minutes: AWS Signature Version 4 in the query.
struct PresignedURL {
    let text: String

    /// - Parameter path: `/bucket/key`. It is escaped here if necessary.
    init(
        method: String, endpoint: String, path: String, accessKey: String, secret: String, at time: Date, seconds: Int,
        region: String = "us-east-1"
    ) {
        let stamp = Self.stamp(time)
        let day = stamp.prefix(8)
        let scope = "\(day)/\(region)/s3/aws4_request"
        let query = [
            "X-Amz-Algorithm=AWS4-HMAC-SHA256", "X-Amz-Credential=\(Self.escape("\(accessKey)/\(scope)"))",
            "X-Amz-Date=\(stamp)", "X-Amz-Expires=\(seconds)", "X-Amz-SignedHeaders=host",
        ].joined(separator: "&")
        let path = path.split(separator: "/", omittingEmptySubsequences: false).map { Self.escape(String($0)) }
            .joined(separator: "/")
        let host = endpoint.drop { $0 != "/" }.drop { $0 == "/" }
        let request = [method, path, query, "host:\(host)", "", "host", "UNSIGNED-PAYLOAD"].joined(separator: "\n")
        let toSign = ["AWS4-HMAC-SHA256", stamp, scope, SHA256.hexadecimal(of: Array(request.utf8))]
            .joined(separator: "\n")
        var key = Array("AWS4\(secret)".utf8)
        for part in [String(day), region, "s3", "aws4_request", toSign] { key = Self.hmac(Array(part.utf8), key: key) }
        let signature = key.map { String(format: "%02x", $0) }.joined()
        text = "\(endpoint)\(path)?\(query)&X-Amz-Signature=\(signature)"
    }

    private static func stamp(_ time: Date) -> String {
        let plain = ISO8601DateFormatter()
        return plain.string(from: time).filter { $0 != "-" && $0 != ":" }
    }

    private static func escape(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain)!
    }

    /// Returns the HMAC-SHA256 (RFC 2104).
    static func hmac(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var key = key.count > 64 ? sha256(key) : key
        key += [UInt8](repeating: 0, count: 64 - key.count)
        return sha256(key.map { $0 ^ 0x5c } + sha256(key.map { $0 ^ 0x36 } + message))
    }

    private static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        let digits = SHA256.hexadecimal(of: bytes).compactMap(\.hexDigitValue)
        return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

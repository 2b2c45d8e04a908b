import Crypto
import Foundation

/// AWS Signature Version 4 for S3, in a header or in the query of an address ("Authenticating Requests" in the S3 API
/// reference).
struct SignatureV4 {
    var key: S3Key
    var region: String

    /// The value for a body that is not part of the signature.
    static let unsignedBody = "UNSIGNED-PAYLOAD"

    /// The signed parts of a request.
    struct Request {
        var method: String
        /// The host as in the `Host` header, with the port if it is not the scheme's default.
        var host: String
        /// The unescaped path: `/bucket/a key`.
        var path: String
        var query: [(String, String)] = []
        /// The headers besides `host`, with names in lower case.
        var headers: [(String, String)] = []
    }

    /// Returns the request's headers with the signature's headers.
    ///
    /// - Parameter bodySHA256: 64 digits in lower case, or `unsignedBody`.
    func headers(_ request: Request, bodySHA256: String, at time: Date) -> [(String, String)] {
        var request = request
        let stamp = Self.stamp(time)
        request.headers += [("x-amz-content-sha256", bodySHA256), ("x-amz-date", stamp)]
        if let session = key.session { request.headers.append(("x-amz-security-token", session)) }
        let (names, signature) = sign(request, bodySHA256, stamp)
        let words = "Credential=\(key.id)/\(scope(stamp)),SignedHeaders=\(names),Signature=\(signature)"
        return request.headers + [("authorization", "AWS4-HMAC-SHA256 \(words)")]
    }

    /// Returns the path and query of an address with which anyone may make this one request until it expires. The
    /// request's headers are part of the signature, so the user of the address must send exactly these.
    func address(_ request: Request, seconds: Int, at time: Date) -> String {
        var request = request
        let stamp = Self.stamp(time)
        let names = Self.canonical(request).names
        request.query += [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", "\(key.id)/\(scope(stamp))"),
            ("X-Amz-Date", stamp), ("X-Amz-Expires", String(seconds)), ("X-Amz-SignedHeaders", names),
        ]
        if let session = key.session { request.query.append(("X-Amz-Security-Token", session)) }
        let signature = sign(request, Self.unsignedBody, stamp).signature
        return "\(Self.escaped(path: request.path))?\(Self.query(request))&X-Amz-Signature=\(signature)"
    }

    /// Returns the path and query of a request in the form in which they must be sent.
    static func target(_ request: Request) -> String {
        escaped(path: request.path) + (request.query.isEmpty ? "" : "?\(query(request))")
    }

    // MARK: - Computing the signature

    private func sign(_ request: Request, _ body: String, _ stamp: String) -> (names: String, signature: String) {
        let (headers, names) = Self.canonical(request)
        let whole = [
            request.method, Self.escaped(path: request.path), Self.query(request), headers, names, body,
        ].joined(separator: "\n")
        let digest = SHA256.hash(data: Data(whole.utf8))
        let toSign = "AWS4-HMAC-SHA256\n\(stamp)\n\(scope(stamp))\n\(digest.hexadecimal)"
        var signingKey = Data("AWS4\(key.secret)".utf8)
        for word in [String(stamp.prefix(8)), region, "s3", "aws4_request"] {
            signingKey = Data(Self.authenticate(word, by: signingKey))
        }
        return (names, Self.authenticate(toSign, by: signingKey).hexadecimal)
    }

    private static func authenticate(_ text: String, by key: Data) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key))
    }

    private func scope(_ stamp: String) -> String { "\(stamp.prefix(8))/\(region)/s3/aws4_request" }

    private static func canonical(_ request: Request) -> (headers: String, names: String) {
        let headers = (request.headers + [("host", request.host)]).sorted { $0.0 < $1.0 }
        let lines = headers.map { name, value in
            "\(name):\(value.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " "))\n"
        }
        return (lines.joined(), headers.map(\.0).joined(separator: ";"))
    }

    private static func query(_ request: Request) -> String {
        request.query.map { (escaped($0), escaped($1)) }.sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    /// Escapes a path once, unlike for other services of AWS.
    private static func escaped(path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { escaped(String($0)) }.joined(separator: "/")
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved)!
    }

    /// The unreserved characters of RFC 3986, section 2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// Returns a time as `20130524T000000Z`.
    private static func stamp(_ time: Date) -> String {
        time.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
    }
}

extension Sequence<UInt8> {
    /// Two digits for each byte, in lower case.
    package var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

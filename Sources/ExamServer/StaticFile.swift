import HTTPTypes
import Hummingbird
import SystemSupport

/// A file that is part of the program, ready to be sent: its bytes, compressed as well, and a tag by which a browser
/// asks whether it has changed.
struct StaticFile: Sendable {
    /// The time for which a browser may keep the file without asking.
    enum Lifetime: String {
        /// The browser asks each time, and gets 304 if nothing has changed.
        case asked = "no-cache"
        /// Its address contains a digest of its bytes, so that it never changes.
        case forever = "public, max-age=31536000, immutable"
    }

    /// A way to compress a file, by its name in HTTP.
    enum Coding: String, Sendable {
        case brotli = "br"
        case gzip

        fileprivate func compressed(_ bytes: [UInt8]) -> [UInt8]? {
            switch self {
            case .brotli: Brotli.compressed(text: bytes)
            case .gzip: Zlib.gzip(bytes)
            }
        }
    }

    private let kind: String
    private let lifetime: Lifetime
    private let plain: ByteBuffer
    /// The compressed forms that are smaller than the file, the preferred one first.
    private let compressed: [(coding: Coding, bytes: ByteBuffer)]
    private let digest: String

    /// - Parameter codings: the preferred one first. Brotli takes a tenth of a second for 200 kB.
    init(_ bytes: [UInt8], kind: String, lifetime: Lifetime = .asked, codings: [Coding] = [.gzip]) {
        self.kind = kind
        self.lifetime = lifetime
        plain = ByteBuffer(bytes: bytes)
        compressed = codings.compactMap { coding in
            coding.compressed(bytes).flatMap { $0.count < bytes.count ? (coding, ByteBuffer(bytes: $0)) : nil }
        }
        digest = Self.digest(of: bytes)
    }

    /// Returns the digest that distinguishes a file from its other versions in a tag or an address.
    static func digest(of bytes: [UInt8]) -> String { String(SHA256.hexadecimal(of: bytes).prefix(16)) }

    /// Returns the file, compressed if the client takes that, or 304 if the client has it.
    func response(to request: Request) -> Response {
        let accepted = request.headers[.acceptEncoding] ?? ""
        let form = compressed.first { Self.isAccepted($0.coding, in: accepted) }
        // Two encodings of a file have different tags (RFC 9110, section 8.8.3).
        let tag = "\"\(digest)\(form.map { "-\($0.coding.rawValue)" } ?? "")\""
        var headers: HTTPFields = [
            .contentType: kind, .cacheControl: lifetime.rawValue, .eTag: tag, .vary: "Accept-Encoding",
        ]
        if let known = request.headers[.ifNoneMatch], Self.names(tag, in: known) {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentEncoding] = form?.coding.rawValue
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: form?.bytes ?? plain))
    }

    /// Whether `Accept-Encoding` names a coding, and doesn't refuse it with `q=0`.
    private static func isAccepted(_ coding: Coding, in accepted: String) -> Bool {
        accepted.lowercased().split(separator: ",").contains { each in
            let parts = each.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            return parts.first == coding.rawValue && !parts.dropFirst().contains { Double($0.dropFirst(2)) == 0 }
        }
    }

    /// Whether a list of tags names a tag. Weak tags count (RFC 9110, section 13.1.2).
    private static func names(_ tag: String, in list: String) -> Bool {
        if list == "*" { return true }
        return list.split(separator: ",").contains { $0.filter { !$0.isWhitespace }.trimmingPrefix("W/") == tag }
    }
}

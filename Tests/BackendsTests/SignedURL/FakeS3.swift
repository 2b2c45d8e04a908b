import Foundation
import HTTPClient
import Synchronization
import SystemSupport

/// S3 from the point of view of a signed PUT. Its errors repeat the whole address, like real ones repeat the signed
/// text.
final class FakeS3: HTTPExchanging {
    static let base = "https://storage.example.org"
    /// Part of each address. It must not appear anywhere else.
    static let signature = "5ec4e7516e"
    private let objects = Mutex<[String: [UInt8]]>([:])
    /// The answer to the next PUT instead of S3's own.
    private let next = Mutex<HTTPResponse?>(nil)

    static func address(_ key: String, isExpired: Bool = false) -> String {
        "\(base)/takes/\(key.replacing(" ", with: "%20"))?X-Amz-Expires=\(isExpired ? 0 : 600)&X-Amz-Signature=\(signature)"
    }

    var now: [String: [UInt8]] { objects.withLock { $0 } }

    func answerOnce(_ response: HTTPResponse) { next.withLock { $0 = response } }

    func remove(_ key: String) { objects.withLock { _ = $0.removeValue(forKey: key) } }

    func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse {
        let answer = next.withLock { next in
            defer { next = nil }
            return next
        }
        if let answer { return answer }
        guard request.method == "PUT", request.url.hasPrefix("\(Self.base)/takes/"),
            request.url.hasSuffix("X-Amz-Signature=\(Self.signature)")
        else {
            return Self.error(
                403, "SignatureDoesNotMatch", "The request signature we calculated does not match", request)
        }
        if request.url.contains("X-Amz-Expires=0&") {
            return Self.error(403, "AccessDenied", "Request has expired", request)
        }
        guard case .file(let path, let offset, let count) = request.body,
            let data = FileManager.default.contents(atPath: path), data.count >= offset + count
        else { throw HTTPFailure(.unreadable, "the file cannot be read") }
        let bytes = Array(data[offset..<offset + count])
        var digest = MD5()!
        bytes.withUnsafeBytes { digest.update($0) }
        let checksum = Data(digest.bytes()).base64EncodedString()
        guard request.headers.contains(.init("Content-MD5", checksum)) else {
            return Self.error(
                400, "BadDigest", "The Content-MD5 you specified did not match what we received.", request)
        }
        sent(bytes.count)
        let key = request.url.dropFirst("\(Self.base)/takes/".count).prefix { $0 != "?" }
        objects.withLock { $0[key.removingPercentEncoding!] = bytes }
        return HTTPResponse(status: 200, headers: ["etag": "\"…\""])
    }

    static func error(_ status: Int, _ code: String, _ message: String, _ request: HTTPRequest? = nil) -> HTTPResponse {
        let body = """
            <?xml version="1.0"?><Error><Code>\(code)</Code><Message>\(message) \(request?.url ?? "")</Message>\
            <SignatureProvided>\(signature)</SignatureProvided></Error>
            """
        return HTTPResponse(status: status, headers: ["content-type": "application/xml"], body: Array(body.utf8))
    }
}

import Foundation
import HTTPClient

/// Signed requests to one bucket. A request is repeated if that may help.
struct S3Calls: Sendable {
    let settings: S3Settings
    let client: any HTTPExchanging

    struct Request {
        var method: String
        /// The key. Nil for the bucket itself.
        var key: AudioKey?
        var query: [(String, String)]
        /// The headers, with names in lower case.
        var headers: [(String, String)]
        var body: HTTPRequest.Body
        var bodySHA256: String

        init(
            _ method: String, _ key: AudioKey?, query: [(String, String)] = [], headers: [(String, String)] = [],
            body: HTTPRequest.Body = .none, bodySHA256: String = Self.nothing
        ) {
            self.method = method
            self.key = key
            self.query = query
            self.headers = headers
            self.body = body
            self.bodySHA256 = bodySHA256
        }

        /// The SHA-256 of an empty body.
        private static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    }

    /// Returns the storage's answer with any status, after at most four attempts.
    ///
    /// - Throws: `unavailable` if there was no answer, or all attempts failed in the storage.
    func ask(_ request: Request, longestAnswer: Int = 1 << 18) async throws(AudioStoreError) -> HTTPResponse {
        var limits = HTTPLimits()
        (limits.connect, limits.total, limits.responseBytes) = (.seconds(5), .seconds(120), longestAnswer)
        for delay in Self.delays {
            do throws(HTTPFailure) {
                let answer = try await client.exchange(signed(request), limits: limits)
                guard Self.isTrouble(answer.status), let delay else { return answer }
                try await pause(delay)
            } catch {
                switch error.kind {
                case .networkUnavailable, .connectionLost, .timeout:
                    guard let delay else { throw failure(error) }
                    do throws(HTTPFailure) { try await pause(delay) } catch { throw failure(error) }
                default: throw failure(error)
                }
            }
        }
        preconditionFailure("the last attempt ends it")
    }

    /// Returns an address with which anyone may make this request until it expires.
    func address(_ method: String, _ key: AudioKey, headers: [(String, String)], seconds: Int) -> String {
        let (origin, host) = place
        let request = SignatureV4.Request(method: method, host: host, path: path(key), headers: headers)
        return origin + signature.address(request, seconds: seconds, at: Date())
    }

    /// Returns the error of an unsuccessful answer, for an operator.
    func error(_ answer: HTTPResponse, _ request: Request) -> AudioStoreError {
        if answer.status == 404, request.key != nil, ["", "NoSuchKey"].contains(S3Words.code(answer)) {
            return AudioStoreError(.missing, "there is no \(request.key!)")
        }
        let words = S3Words.sentence(answer, settings, now: Date())
        return AudioStoreError(S3Words.isDamage(answer) ? .differs : .unavailable, words)
    }

    // MARK: -

    /// The delays before further attempts, with a random part. AWS's SDKs try three times.
    private static let delays: [Duration?] = [.milliseconds(200), .milliseconds(600), .seconds(2), nil]

    private static func isTrouble(_ status: Int) -> Bool { [408, 429, 500, 502, 503, 504].contains(status) }

    private func pause(_ delay: Duration) async throws(HTTPFailure) {
        do {
            try await Task.sleep(for: delay * Double.random(in: 0.5...1))
        } catch {
            throw HTTPFailure(.cancelled, "cancelled")
        }
    }

    private func failure(_ failure: HTTPFailure) -> AudioStoreError {
        AudioStoreError(.unavailable, "the storage cannot be reached: \(failure.sentence)")
    }

    /// Signs a request again for each attempt, because a signature is valid for a quarter of an hour.
    private func signed(_ request: Request) -> HTTPRequest {
        let (origin, host) = place
        let signed = SignatureV4.Request(
            method: request.method, host: host, path: path(request.key), query: request.query, headers: request.headers)
        return HTTPRequest(
            request.method, origin + SignatureV4.target(signed),
            headers: signature.headers(signed, bodySHA256: request.bodySHA256, at: Date()), body: request.body)
    }

    private var signature: SignatureV4 { SignatureV4(key: settings.key, region: settings.region) }

    /// The origin `https://bucket.host:9000`, and the value of the `Host` header.
    private var place: (origin: String, host: String) {
        let parts = settings.endpoint.split(separator: "/", maxSplits: 1)
        let scheme = parts[0].lowercased()
        var host = parts.count > 1 ? String(parts[1].drop { $0 == "/" }) : ""
        // Clients omit a scheme's default port in the header, and the header is signed.
        for (own, port) in [("http:", ":80"), ("https:", ":443")] where scheme == own && host.hasSuffix(port) {
            host.removeLast(port.count)
        }
        if !settings.isPathStyle { host = "\(settings.bucket).\(host)" }
        return ("\(scheme)//\(host)", host)
    }

    private func path(_ key: AudioKey?) -> String {
        let bucket = settings.isPathStyle ? "/\(settings.bucket)" : ""
        return key.map { "\(bucket)/\($0)" } ?? (bucket.isEmpty ? "/" : bucket)
    }
}

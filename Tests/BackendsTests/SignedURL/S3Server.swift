import Foundation
import HTTPClient
import LoopbackServers
import TestSupport
import Testing

/// A storage server on loopback that checks signatures, dates and checksums: OpenStack Swift, from PyPI, with its S3
/// API.
final class S3Server: Sendable {
    static let accessKey = S3Trial.accessKey
    static let secret = S3Trial.secret
    /// Small, so that a test can exceed it by one byte.
    static let largest = 1_048_576

    let endpoint: String
    private let server: S3Trial
    private let client = CurlClient()

    private init() throws {
        server = try S3Trial(largest: Self.largest)
        endpoint = server.endpoint
    }

    /// Shared by all tests, since it takes eight seconds to start. It starts on a separate thread, so that nothing else
    /// is blocked.
    private static let starting = Task {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try S3Server() }) }
        }
    }

    static var shared: S3Server { get async throws { try await starting.value } }

    /// Makes a bucket for one test. On a busy machine the proxy runs before the servers behind it, and answers 503
    /// until then.
    func makeBucket() async throws -> String {
        let bucket = "takes-\(UUID().uuidString.lowercased().prefix(8))"
        var response = HTTPResponse(status: 503)
        try await eventually("the servers behind the proxy are up") {
            response = try await client.exchange(
                HTTPRequest("PUT", sign("PUT", "/\(bucket)")), limits: HTTPLimits(), sent: { _ in })
            return response.status != 503
        }
        try #require([200, 409].contains(response.status), "\(response.text)")
        return bucket
    }

    func sign(
        _ method: String, _ path: String, secret: String = S3Server.secret, at time: Date = Date(), seconds: Int = 600
    ) -> String {
        PresignedURL(
            method: method, endpoint: endpoint, path: path, accessKey: Self.accessKey, secret: secret, at: time,
            seconds: seconds
        ).text
    }

    /// Returns an object's bytes; nil if it doesn't exist.
    func object(_ bucket: String, _ key: String) async throws -> [UInt8]? {
        var limits = HTTPLimits()
        limits.responseBytes = 4 << 20
        let response = try await client.exchange(
            HTTPRequest("GET", sign("GET", "/\(bucket)/\(key)")), limits: limits, sent: { _ in })
        if response.status == 404 { return nil }
        try #require(response.status == 200)
        return response.body
    }

    /// Returns the number of objects in a bucket.
    func count(_ bucket: String) async throws -> Int {
        let response = try await client.exchange(
            HTTPRequest("GET", sign("GET", "/\(bucket)")), limits: HTTPLimits(), sent: { _ in })
        try #require(response.status == 200)
        return response.text.components(separatedBy: "<Key>").count - 1
    }
}

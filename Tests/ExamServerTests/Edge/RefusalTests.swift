import Foundation
import Glibc
import HTTPClient
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import LoopbackServers

/// The server answers invalid HTTP at once, and a refused client can read the reason.
@Suite(.bothStores) struct RefusalTests {
    private let ann = UUID()

    private static let good = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Bad requests, with the status of the answer.
    private static let bad: [(what: String, bytes: [UInt8], status: Int)] =
        [
            ("line ends without CR", "GET /health HTTP/1.1\nHost: a\n\n", 400),
            (
                "two lengths",
                "POST /v1/submissions HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400
            ),
            ("an invalid length", "POST /v1/submissions HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
            ("a space before the colon", "GET /health HTTP/1.1\r\nHost : a\r\n\r\n", 400),
            ("no host", "GET /health HTTP/1.1\r\n\r\n", 400),
            ("two hosts", "GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
            ("no version", "GET /health\r\n\r\n", 400),
            ("no method", "\u{1}\u{2}\u{3} /health HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            (
                "a length beside chunks",
                "POST /v1/submissions HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                400
            ),
            (
                "an invalid chunk",
                "POST /v1/submissions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400
            ),
            ("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
            ("an address of 70 kB", "GET /\(String(repeating: "a", count: 70_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 431),
            (
                "headers of 70 kB",
                "GET /health HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 70_000))\r\n\r\n", 431
            ),
            ("a body of 65 MiB", "POST /v1/submissions HTTP/1.1\r\nHost: a\r\nContent-Length: 68157440\r\n\r\n", 413),
            (
                "a body of no length there is",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400
            ),
            ("an expectation", "GET /health HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n", 417),
            ("another coding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ].map { ($0.0, Array($0.1.utf8), $0.2) } + [
            ("TLS", [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03], 400)
        ]

    /// Returns everything that a server sends until it ends the connection. Nil if it doesn't end within five seconds.
    private static func answer(_ port: Int, to bytes: [UInt8]) throws -> String? {
        let connection = try TCPConnection(port: port)
        connection.giveUp(afterSeconds: 5)
        connection.write(bytes)
        return connection.readToEnd().map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func invalidRequestsAreRefusedAtOnceAndTheConnectionEnds() async throws {
        let server = try await RunningServer()
        let port = server.port
        for (what, bytes, status) in Self.bad {
            let first = try await onThread { try Self.answer(port, to: bytes) }
            #expect(first?.hasPrefix("HTTP/1.1 \(status) ") == true, "\(what): \(first ?? "no end")")
            #expect(first?.contains("application/problem+json") == true && first?.contains("Connection: close") == true)
            // The same after a good request, which is answered first.
            let second = try await onThread { try Self.answer(port, to: Array(Self.good.utf8) + bytes) }
            #expect(second?.hasPrefix("HTTP/1.1 200 ") == true, "\(what): \(second ?? "no end")")
            #expect(second?.contains("HTTP/1.1 \(status) ") == true, "\(what): \(second ?? "no end")")
        }
        #expect(try await server.ask("GET", "/health", as: nil).status == 200)
        #expect(server.services.metrics.value(.requests, label: "status=\"4xx\"") >= Double(2 * Self.bad.count - 4))
        await server.stop()
    }

    /// Most clients write a whole body before they read anything.
    @Test(arguments: ["", "Connection: close\r\n"])
    func aRefusedClientWithALongBodyReadsTheReason(_ header: String) async throws {
        let server = try await RunningServer { $0.limits.requestsPerMinute = 2 }
        let port = server.port
        let token = try await RunningServer.token(of: ann)
        let body = [UInt8](repeating: 7, count: 12 << 20)
        let path = "/v1/sessions/\(UUID())/answers/\(UUID())/recording"
        let cases = [
            ("PUT \(path) HTTP/1.1\r\n", 401), ("PUT /v1/uploads/direct/none HTTP/1.1\r\n", 403),
            (
                "POST /v1/submissions HTTP/1.1\r\nContent-Type: application/json\r\nAuthorization: Bearer \(token)\r\n",
                413
            ),
            ("PUT /nothing HTTP/1.1\r\nAuthorization: Bearer \(token)\r\n", 404),
            (
                "POST /v1/submissions HTTP/1.1\r\nContent-Type: application/json\r\nAuthorization: Bearer \(token)\r\n",
                413
            ),
            (
                "POST /v1/submissions HTTP/1.1\r\nContent-Type: application/json\r\nAuthorization: Bearer \(token)\r\n",
                429
            ),
        ]
        for (line, status) in cases {
            let head = "\(line)Host: a\r\n\(header)Content-Length: \(body.count)\r\n\r\n"
            let answer = try await onThread { try Self.answer(port, to: Array(head.utf8) + body) }
            #expect(
                answer?.hasPrefix("HTTP/1.1 \(status) ") == true,
                "\(line) \(status): \(answer?.prefix(200) ?? "no end")")
        }
        await server.stop()
    }

    @Test func aSmallRefusalKeepsTheConnection() async throws {
        let server = try await RunningServer()
        let port = server.port
        let refused = "POST /v1/submissions HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"
        let last = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        let answer = try await onThread { try Self.answer(port, to: Array((refused + refused + last).utf8)) }
        #expect(answer?.components(separatedBy: "HTTP/1.1 401 ").count == 3)
        #expect(answer?.contains("HTTP/1.1 200 ") == true)
        await server.stop()
    }

    @Test func aClientThatWaitsForContinueGetsIt() async throws {
        let server = try await RunningServer()
        let port = server.port
        let head =
            "POST /v1/submissions HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"
        let (first, rest) = try await onThread {
            let connection = try TCPConnection(port: port)
            connection.giveUp(afterSeconds: 5)
            connection.write(head)
            let first = String(decoding: connection.read(), as: UTF8.self)
            connection.write("{}")
            return (first, connection.readToEnd().map { String(decoding: $0, as: UTF8.self) })
        }
        #expect(first.hasPrefix("HTTP/1.1 100 Continue\r\n\r\n"))
        #expect((first + (rest ?? "")).contains("HTTP/1.1 401 "))
        await server.stop()
    }

    @Test func headSaysWhatGetWouldSay() async throws {
        let server = try await RunningServer()
        for path in ["/health", "/", "/openapi.json", "/v1/me", "/v1/sessions", "/nothing"] {
            let get = try await server.ask("GET", path, as: ann)
            let head = try await server.ask("HEAD", path, as: ann)
            #expect(head.status == get.status && head.body.isEmpty, "\(path)")
            if get.status == 200 { #expect(head.header("Content-Length") == "\(get.body.count)", "\(path)") }
        }
        #expect(try await server.ask("DELETE", "/health", as: ann).header("Allow") == "GET, HEAD")
        await server.stop()
    }

    /// Every answer has the request's id, and problems repeat it in their body.
    @Test func aProblemNamesItsRequest() async throws {
        let server = try await RunningServer()
        let answer = try await server.ask("GET", "/v1/me", as: nil)
        let id = try #require(answer.header("Request-Id"))
        #expect(id.count == 16 && answer.object["requestId"] as? String == id)
        #expect(try await server.ask("GET", "/health", as: nil).header("Request-Id") != id)
        await server.stop()
    }
}

extension TCPConnection {
    /// Makes reading and writing fail if no byte moves for this time.
    func giveUp(afterSeconds seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Returns everything until the other side ends. Nil if it doesn't end, or breaks the connection.
    func readToEnd() -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            errno = 0
            let more = read()
            if more.isEmpty { return errno == 0 ? bytes : nil }
            bytes += more
        }
    }
}

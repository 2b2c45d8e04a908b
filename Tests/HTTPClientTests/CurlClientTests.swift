import Foundation
import HTTPClient
import LoopbackServers
import Synchronization
import TestSupport
import Testing

/// Requests and answers of the client with a test server.
@Suite struct CurlClientTests {
    let client = CurlClient()

    @Test func requestsArriveAndAnswersComeBack() async throws {
        let seen = Seen()
        let server = try HTTPServer { request in
            seen.append(request)
            return HTTPResponse(status: 201, headers: ["X-Kind": " row ", "x-twice": "2"], body: Array("made".utf8))
        }
        defer { server.stop() }
        let answer = try await client.exchange(
            HTTPRequest(
                "PATCH", server.url + "/a/../b%20c?id=eq.1&x=%2B#no",
                headers: [("Content-Type", "application/json"), ("X-Empty", "")], body: .bytes(Array("{}".utf8))))
        #expect(answer.status == 201)
        #expect(answer.headers["x-kind"] == "row")
        #expect(answer.headers["content-length"] == "4")
        #expect(answer.text == "made")

        let request = try #require(seen.all.first)
        #expect(request.method == "PATCH")
        #expect(request.path == "/a/../b%20c", "a signed path must not be changed")
        #expect(request.query == "id=eq.1&x=%2B")
        #expect(request.header("content-type") == "application/json")
        #expect(request.header("x-empty")?.isEmpty == true)
        #expect(request.header("content-length") == "2")
        #expect(request.header("user-agent") == CurlClient.userAgent)
        #expect(request.header("expect") == nil)
        #expect(request.header("accept-encoding") == nil, "an answer that unfolds could be of any length")
        #expect(request.bytes == Array("{}".utf8))
    }

    @Test(arguments: [200, 202, 301, 307, 400, 401, 403, 404, 409, 413, 429, 500, 503, 599])
    func anyStatusIsAnAnswer(_ status: Int) async throws {
        let server = try HTTPServer { request in
            HTTPResponse(status: status, headers: ["location": "/elsewhere", "retry-after": "3"], body: request.bytes)
        }
        defer { server.stop() }
        let answer = try await client.exchange(HTTPRequest("PUT", server.url, body: .bytes(Array("words".utf8))))
        #expect(answer.status == status)
        #expect(answer.text == "words")
        #expect(answer.headers["retry-after"] == "3")
    }

    @Test(arguments: [("GET", 204), ("DELETE", 204), ("HEAD", 200), ("PUT", 304), ("PATCH", 204)])
    func anAnswerMayHaveNoBody(_ method: String, _ status: Int) async throws {
        let server = try HTTPServer { _ in
            HTTPResponse(status: status, headers: ["upload-offset": "7"], body: Array("not sent".utf8))
        }
        defer { server.stop() }
        for _ in 0..<2 {
            let answer = try await client.exchange(HTTPRequest(method, server.url))
            #expect(answer.status == status)
            #expect(answer.body.isEmpty)
            #expect(answer.headers["upload-offset"] == "7")
        }
        #expect(server.connectionCount == 1, "no byte was left over")
    }

    @Test(arguments: [0, 1, 999, 1000, 70_000])
    func anAnswerInChunksIsWhole(_ count: Int) async throws {
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let server = try HTTPServer { _ in
            HTTPResponse(status: 200, headers: ["transfer-encoding": "chunked"], body: body)
        }
        defer { server.stop() }
        #expect(try await client.exchange(HTTPRequest("GET", server.url)).body == body)
    }

    @Test func informationalAnswersAreSkipped() async throws {
        let server = try RawServer(
            answering: "HTTP/1.1 103 Early Hints\r\nx-early: 1\r\n\r\nHTTP/1.1 200 OK\r\nx-kind: a\r\nX-Kind: b\r\n"
                + "content-length: 2\r\n\r\nok")
        defer { server.stop() }
        let answer = try await client.exchange(HTTPRequest("GET", server.url))
        #expect(answer.status == 200)
        #expect(answer.headers == ["x-kind": "b", "content-length": "2"])
    }

    @Test(arguments: ["POST", "PUT", "PATCH"])
    func requestsWithoutABodySaySo(_ method: String) async throws {
        let seen = Seen()
        let server = try HTTPServer { request in
            seen.append(request)
            return HTTPResponse(status: 200)
        }
        defer { server.stop() }
        _ = try await client.exchange(HTTPRequest(method, server.url))
        #expect(seen.all.first?.header("content-length") == "0")
        #expect(seen.all.first?.header("transfer-encoding") == nil)
    }

    @Test func connectionsAreKept() async throws {
        let server = try HTTPServer { request in HTTPResponse(status: 200, body: request.bytes) }
        defer { server.stop() }
        for number in 0..<20 {
            let answer = try await client.exchange(
                HTTPRequest("POST", server.url, body: .bytes(Array("\(number)".utf8))))
            #expect(answer.text == "\(number)")
        }
        #expect(server.connectionCount == 1)
    }

    @Test func aKeptConnectionThatTheServerClosedIsReplaced() async throws {
        // The server closes the connection without announcing it.
        let server = try RawServer(answering: "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
        defer { server.stop() }
        for _ in 0..<5 {
            #expect(
                try await client.exchange(HTTPRequest("POST", server.url, body: .bytes([1]))).text == "ok")
        }
        #expect(server.connectionCount == 5)
    }

    /// The server answers only when it has all requests, so all of them must be in progress at the same time.
    @Test func hundredsAreExchangedAtOnce() async throws {
        let count = 200
        let gate = Gate(count)
        let server = try HTTPServer { request in
            gate.arriveAndWait()
            return HTTPResponse(status: 200, body: request.bytes)
        }
        defer { server.stop() }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                group.addTask {
                    let words = "number \(number)"
                    let answer = try await client.exchange(
                        HTTPRequest("PUT", server.url + "/\(number)", body: .bytes(Array(words.utf8))), limits: .patient
                    )
                    return answer.text == words
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func aClientMayGoAndItsThreadEnds() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: 200) }
        defer { server.stop() }
        for _ in 0..<20 {
            _ = try await CurlClient().exchange(HTTPRequest("GET", server.url))
        }
        // A client closes its connections when it is released.
        try await eventually("all connections are closed") { server.openCount == 0 }
    }
}

extension HTTPLimits {
    /// Limits for tests that aren't about time, on a busy machine.
    static var patient: HTTPLimits {
        var limits = HTTPLimits()
        limits.connect = .seconds(60)
        limits.idle = .seconds(60)
        return limits
    }
}

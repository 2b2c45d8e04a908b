import Foundation
import Glibc
import HTTPClient
import LoopbackServers
import Synchronization
import TestSupport
import Testing

/// The kinds of failure by their causes, and above all whether something may have been sent.
extension CurlClientTests {
    @Test func aRefusedConnectionSendsNothing() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: 200) }
        server.stop()
        try await eventually("connections are refused") { (try? TCPConnection(port: server.port)) == nil }
        let failure = try #require(await problem(of: client, HTTPRequest("PUT", server.url, body: .bytes([1]))))
        #expect(failure.kind == .networkUnavailable)
        #expect(failure.code == 7)
        #expect(failure.sentence == "\(server.url) is out of reach: Couldn't connect to server")
    }

    @Test func anUnknownHostSendsNothing() async throws {
        let failure = try #require(await problem(of: client, HTTPRequest("GET", "http://nowhere.invalid/")))
        #expect(failure.kind == .networkUnavailable)
        #expect(failure.code == 6)
    }

    @Test func aServerThatSpeaksNoTLSWasSentNothing() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: 200) }
        defer { server.stop() }
        let failure = await problem(of: client, HTTPRequest("GET", "https://127.0.0.1:\(server.port)/"))
        #expect(failure?.kind == .networkUnavailable)
    }

    @Test(
        arguments: [
            ("", .reset),
            ("", .close),
            ("HTTP/1.1 200 OK\r\ncontent-le", .close),
            ("HTTP/1.1 103 Early Hints\r\n\r\n", .close),
            ("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nten bytes.", .close),
            ("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nten bytes.", .reset),
            ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\na\r\nten bytes.\r\n", .close),
        ] as [(String, RawServer.End)])
    func aBrokenAnswerLeavesOpenWhetherTheServerActed(_ answer: String, _ end: RawServer.End) async throws {
        let server = try RawServer(answering: answer, end: end)
        defer { server.stop() }
        let failure = await problem(of: client, HTTPRequest("PUT", server.url, body: .bytes([1, 2, 3])))
        #expect(failure?.kind == .connectionLost, "\(failure?.sentence ?? "an answer")")
    }

    /// Answers of servers that are invalid.
    enum Babble: CaseIterable {
        case another, zeros, noStatus, noLength, endlessHead

        var text: String {
            switch self {
            case .another: "SSH-2.0-OpenSSH_9.2p1\r\n"
            case .zeros: String(repeating: "\0", count: 100) + "\r\n\r\n"
            case .noStatus: "HTTP/1.1 nothing\r\n\r\n"
            case .noLength: "HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n"
            case .endlessHead:
                "HTTP/1.1 200 OK\r\n"
                    + String(repeating: "y: " + String(repeating: "b", count: 9000) + "\r\n", count: 40) + "\r\n"
            }
        }
    }

    @Test(arguments: Babble.allCases)
    func anAnswerThatIsNotHTTPIsMalformed(_ babble: Babble) async throws {
        let server = try RawServer(answering: babble.text)
        defer { server.stop() }
        let failure = await problem(of: client, HTTPRequest("GET", server.url))
        #expect(failure?.kind == .malformed, "\(failure?.sentence ?? "an answer") \(failure?.code ?? 0)")
    }

    @Test(arguments: [false, true])
    func anAnswerIsTakenUpToItsLimit(_ isChunked: Bool) async throws {
        var limits = HTTPLimits.patient
        limits.responseBytes = 100_000
        let server = try HTTPServer { request in
            HTTPResponse(
                status: 200, headers: isChunked ? ["transfer-encoding": "chunked"] : [:],
                body: Array(repeating: 7, count: Int(request.path.dropFirst())!))
        }
        defer { server.stop() }
        let answer = try await client.exchange(HTTPRequest("GET", server.url + "/100000"), limits: limits)
        #expect(answer.body.count == 100_000)
        let failure = await problem(of: client, HTTPRequest("GET", server.url + "/100001"), limits: limits)
        #expect(failure?.kind == .malformed)
        #expect(failure?.sentence == "the answer from \(server.url) is longer than allowed")
    }

    @Test(arguments: [
        "", "nothing", "/path", "ftp://127.0.0.1/x", "file:///etc/passwd", "http://", "https://a b/",
        "http://127.0.0.1:99999/", "http://127.0.0.1/a\r\nX-More: 1", "//127.0.0.1/", "127.0.0.1:80/", "http://[::1/",
        "javascript:alert(1)", "http://127.0.0.1/\u{0}",
    ])
    func anInvalidURLIsRefused(_ url: String) async {
        #expect(await problem(of: client, HTTPRequest("GET", url))?.kind == .invalidURL)
    }

    @Test(arguments: [
        HTTPRequest("GET", "http://127.0.0.1:1/", headers: [("X-A", "1\r\nX-B: 2")]),
        HTTPRequest("GET", "http://127.0.0.1:1/", headers: [("X-A", "1\nX-B: 2")]),
        HTTPRequest("GET", "http://127.0.0.1:1/", headers: [("X A", "1")]),
        HTTPRequest("GET", "http://127.0.0.1:1/", headers: [("", "1")]),
        HTTPRequest("GET / HTTP/1.1\r\nX: 1\r\n", "http://127.0.0.1:1/"),
        HTTPRequest("", "http://127.0.0.1:1/"),
    ])
    func nothingIsSmuggledIntoAHead(_ request: HTTPRequest) async {
        #expect(await problem(of: client, request)?.kind == .unknown)
    }

    @Test func sentencesKeepSecrets() async throws {
        let secrets = ["SECRET"]
        let silent = try RawServer(answering: "", end: .reset)
        let garbage = try RawServer(answering: "SECRET\r\n")
        let short = try RawServer(answering: "HTTP/1.1 200 OK\r\nx-token: SECRET\r\ncontent-length: 99\r\n\r\nSECRET")
        defer { for server in [silent, garbage, short] { server.stop() } }
        let bases = [
            silent.url, garbage.url, short.url, "http://127.0.0.1:1", "https" + silent.url.dropFirst(4), "gopher://a",
        ]
        // The connection to the server without TLS would take long to fail.
        var limits = HTTPLimits.patient
        limits.connect = .seconds(1)
        for base in bases {
            let url = base.replacingOccurrences(of: "//", with: "//u:SECRET@") + "/SECRET?token=SECRET#SECRET"
            let request = HTTPRequest(
                "PUT", url, headers: [("Authorization", "Bearer SECRET")], body: .bytes(Array("SECRET".utf8)))
            let failure = try #require(await problem(of: client, request, limits: limits))
            for secret in secrets { #expect(!failure.sentence.contains(secret), "\(failure.sentence)") }
            #expect(!failure.sentence.hasSuffix("."))
        }
    }
}

/// Each of the three time limits, with a server that violates only that one.
extension CurlClientTests {
    @Test func connectingTimesOut() async throws {
        // The server accepts connections, but never answers a TLS handshake.
        let server = try TCPServer { connection, _ in while !connection.read().isEmpty {} }
        defer { server.stop() }
        var limits = HTTPLimits.patient
        limits.connect = .milliseconds(200)
        let failure = try #require(
            await problem(of: client, HTTPRequest("GET", "https://127.0.0.1:\(server.port)"), limits: limits))
        #expect(failure.kind == .networkUnavailable, "nothing was sent")
        #expect(failure.sentence.hasPrefix("no connection to"))
    }

    @Test func silenceTimesOut() async throws {
        let server = try RawServer(answering: "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nfive!", end: .stay)
        defer { server.stop() }
        var limits = HTTPLimits.patient
        limits.idle = .milliseconds(300)
        let failure = try #require(await problem(of: client, HTTPRequest("GET", server.url), limits: limits))
        #expect(failure.kind == .timeout)
        #expect(failure.sentence == "\(server.url) was silent for 0.3 s")
    }

    @Test func theWholeExchangeTimesOut() async throws {
        let server = try TCPServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            while connection.write("drop") { usleep(20_000) }
        }
        defer { server.stop() }
        var limits = HTTPLimits.patient
        limits.total = .milliseconds(500)
        let failure = try #require(
            await problem(of: client, HTTPRequest("GET", "http://127.0.0.1:\(server.port)"), limits: limits))
        #expect(failure.kind == .timeout)
        #expect(failure.sentence.hasPrefix("no answer from"))
    }

    @Test func aSlowAnswerIsNotSilence() async throws {
        let server = try TCPServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\ncontent-length: 60\r\n\r\n")
            for _ in 0..<60 {
                usleep(50_000)
                connection.write("x")
            }
        }
        defer { server.stop() }
        var limits = HTTPLimits.patient
        limits.idle = .seconds(2)
        let answer = try await client.exchange(
            HTTPRequest("GET", "http://127.0.0.1:\(server.port)"), limits: limits)
        #expect(answer.body.count == 60)
    }

    /// The system accepts the whole body at once. Sending it slowly doesn't count as silence.
    @Test func aSlowLineIsNotSilence() async throws {
        let server = try HTTPServer { request in HTTPResponse(status: 200, body: Array("\(request.bytes.count)".utf8)) }
        let proxy = try FaultProxy(to: server.port, script: [.slow(bytesPerSecond: 100_000)])
        defer {
            proxy.stop()
            server.stop()
        }
        var limits = HTTPLimits.patient
        limits.idle = .seconds(2)
        let reports = Mutex<[Int]>([])
        let answer = try await client.exchange(
            HTTPRequest("PUT", proxy.url, body: .bytes(Array(repeating: 1, count: 400_000))), limits: limits
        ) { count in reports.withLock { $0.append(count) } }
        #expect(answer.text == "400000")
        let counts = reports.withLock { $0 }
        #expect(counts == counts.sorted())
        #expect(counts.last == 400_000)
        #expect(counts.count > 4, "reports follow the line, not the system's buffer: \(counts)")
    }
}

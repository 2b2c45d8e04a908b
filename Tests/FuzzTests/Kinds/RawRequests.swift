import Foundation

/// Bytes over a connection that are nearly HTTP/1.1 requests.
struct RawRequests: FuzzKind {
    static let name = "http"
    static let share = 20_000

    private let server: FuzzServer

    init(_ server: FuzzServer) {
        self.server = server
    }

    func attempt(_ chance: inout Chance) async throws {
        var bytes: [UInt8] = []
        for _ in 0...chance.below(2) { bytes += Self.request(&chance) }
        if chance.once(in: 2) { bytes.spoil(&chance, longest: 1 << 18) }
        let said = bytes
        // A server that waits for more than was sent is left waiting, as by a slow client.
        let answer = try await onThread { [server] in
            let socket = try RawSocket(port: server.port)
            socket.write(said)
            socket.endWriting()
            return socket.all(within: 1)
        }
        let lines = String(decoding: answer, as: UTF8.self).split(separator: "\r\n").filter {
            $0.hasPrefix("HTTP/1.1 ")
        }
        for line in lines {
            let status = Int(line.dropFirst(9).prefix(3)) ?? 0
            try demand(
                Self.statuses.contains(status),
                "answered \(line) to \(String(decoding: bytes.prefix(400), as: UTF8.self))")
        }
    }

    /// All statuses of the routes and of the edge.
    private static let statuses: Set<Int> = [
        100, 101, 200, 201, 202, 204, 206, 304, 400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 416, 417, 421, 422,
        423, 426, 429, 431, 460, 501, 503, 505,
    ]

    private static func request(_ chance: inout Chance) -> [UInt8] {
        let body = chance.once(in: 2) ? Array(#"{"consent":true}"#.utf8) : chance.bytes(chance.below(40))
        var lines = [
            "\(chance.one(of: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "CONNECT", "TRACE", "BREW"])) "
                + "\(chance.one(of: targets)) \(chance.one(of: ["HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9.9", ""]))",
            "Host: localhost", "Authorization: Bearer \(FuzzServer.token)", "Content-Type: application/json",
        ]
        for header in headers where chance.once(in: 8) { lines.append(header) }
        if chance.once(in: 60) {
            lines.append("X-Long: " + String(repeating: "a", count: chance.one(of: [8_000, 66_000, 200_000])))
        }
        if chance.once(in: 60) { lines += Array(repeating: "X-Many: 1", count: 4_000) }
        if chance.once(in: 3) {
            lines.append("Transfer-Encoding: chunked")
            let size =
                chance.once(in: 4)
                ? chance.one(of: ["0", "-1", "FFFFFFFFFFFFFFFF", "8000000000000000", "zz", ""])
                : String(body.count, radix: 16)
            return Array((lines.joined(separator: "\r\n") + "\r\n\r\n\(size)\r\n").utf8) + body
                + Array("\r\n0\r\n\r\n".utf8)
        }
        lines.append("Content-Length: \(chance.once(in: 6) ? chance.one(of: Oddities.numbers) : String(body.count))")
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    private static let targets = [
        "/", "/health", "/v1/exams", "/v1/live", "/v1/sessions?limit=5&before=%", "/v1/sessions/%2e%2e/%00", "*", "//",
        "http://localhost/health", "localhost:80", "/v1/templates?%ff=%zz&&=", "/page/../main.js", "/submissions/x",
        "/\u{e9}", "/v1/uploads",
    ]

    private static let headers = [
        "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol: oracy.live.1", "Expect: 100-continue", "Expect: 200-ok", "Connection: close",
        "Host: localhost",
        "Origin: http://localhost", "Range: bytes=0-", "Tus-Resumable: 1.0.0", "Upload-Length: 5", "Cookie: a=b; c=d",
        "Cookie: e", "Trailer: X",
        " folded: yes", "X-HTTP-Method-Override: PATCH", "Forwarded: for=x", "Access-Control-Request-Method: GET",
        "Te: trailers",
    ]
}

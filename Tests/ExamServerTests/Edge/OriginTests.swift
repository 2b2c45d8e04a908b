import Foundation
import HTTPClient
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer

/// Requests from pages of other origins: which are allowed, and how a browser learns that.
@Suite(.bothStores) struct OriginTests {
    private let ann = UUID()
    private static let origin = "https://exams.example.org"

    private func preflight(_ server: RunningServer, _ path: String, from origin: String) async throws
        -> HTTPClient.HTTPResponse
    {
        try await server.ask(
            "OPTIONS", path, as: nil,
            headers: [
                ("Origin", origin), ("Access-Control-Request-Method", "PUT"),
                ("Access-Control-Request-Headers", "authorization,content-type"),
            ])
    }

    @Test func aPageOfAnAllowedOriginMayAsk() async throws {
        let server = try await RunningServer { $0.allowedOrigins = [Self.origin] }
        for path in ["/v1/exams", "/v1/sessions/\(UUID())", "/v1/uploads", "/v1/exams/\(UUID())/clips/a"] {
            let allowed = try await preflight(server, path, from: Self.origin)
            #expect(allowed.status == 204 && allowed.header("Access-Control-Allow-Origin") == Self.origin, "\(path)")
            #expect(allowed.header("Access-Control-Allow-Methods")?.contains("PATCH") == true)
            #expect(allowed.header("Access-Control-Allow-Headers")?.contains("Authorization") == true)
            #expect(allowed.header("Access-Control-Allow-Credentials") == nil)
            #expect(allowed.header("Vary") == "Origin")
            let other = try await preflight(server, path, from: "https://evil.example")
            #expect(other.header("Access-Control-Allow-Origin") == nil, "\(path)")
        }
        // Pages can read failures, too.
        for (path, user, status) in [("/v1/me", ann, 200), ("/v1/me", nil, 401), ("/nothing", ann, 404)]
            as [(String, UUID?, Int)]
        {
            let answer = try await server.ask("GET", path, as: user, headers: [("Origin", Self.origin)])
            #expect(answer.status == status && answer.header("Access-Control-Allow-Origin") == Self.origin)
            #expect(answer.header("Access-Control-Expose-Headers")?.contains("Upload-Offset") == true)
            let other = try await server.ask("GET", path, as: user, headers: [("Origin", "https://evil.example")])
            #expect(other.status == status && other.header("Access-Control-Allow-Origin") == nil)
        }
        // A tus client asks for abilities without an origin.
        let abilities = try await server.ask("OPTIONS", "/v1/uploads", as: nil)
        #expect(abilities.status == 204 && abilities.header("Tus-Version") == "1.0.0")
        await server.stop()
    }

    @Test func withoutAllowedOriginsThereAreNoOriginHeaders() async throws {
        let server = try await RunningServer()
        let answer = try await server.ask("GET", "/health", as: nil, headers: [("Origin", Self.origin)])
        #expect(answer.header("Access-Control-Allow-Origin") == nil && answer.header("Vary") == nil)
        #expect(try await preflight(server, "/v1/exams", from: Self.origin).status == 405)
        await server.stop()
    }

    /// A DNS rebinding attack reaches the server under the attacker's own name, so that the page would look like the
    /// server's own.
    @Test func inDevelopmentOnlyItsOwnNamesAreTaken() async throws {
        let server = try await RunningServer(signIn: .development) {
            $0.development = true
            $0.nodeURL = "http://laptop.example:9000"
            $0.allowedHosts = ["other.example"]
        }
        let session = "/v1/sessions/\(UUID())"
        for host in ["localhost", "127.0.0.1:8080", "[::1]:80", "LOCALHOST:1", "laptop.example", "other.example:7"] {
            let answer = try await server.ask("DELETE", session, as: nil, headers: [("Host", host)])
            #expect(answer.status == 404, "\(host)")
        }
        for host in [
            "evil.example:9101", "localhost.evil.example", "127.0.0.1.evil.example", "[::2]", "", "localhost@evil",
        ] {
            for path in [session, "/", "/v1/me"] {
                let answer = try await server.ask(
                    path == session ? "DELETE" : "GET", path, as: nil,
                    headers: [("Host", host), ("Origin", "http://\(host)")])
                #expect(answer.status == 421 && answer.code == "other-host", "\(host)")
            }
            let port = server.port
            let line = try await onThread {
                try TestSocket(port: port, headers: ["Origin: http://\(host)"], host: host).answer
            }
            #expect(line.hasPrefix("HTTP/1.1 421 "), "\(host): \(line)")
        }
        await server.stop()
    }

    /// A form on any site can send a POST to this machine. In development the server asks for no token, so only the
    /// check of the origin stops it.
    @Test func inDevelopmentPagesOfOtherSitesChangeNothing() async throws {
        let server = try await RunningServer(signIn: .development) {
            $0.development = true
            $0.allowedOrigins = [Self.origin]
        }
        let own = server.url.lowercased()
        let foreign = ["https://evil.example", "null", "http://localhost:1", "http://127.0.0.1", own + ".evil.example"]
        for (method, path, body) in [
            ("POST", "/v1/exams", "{}"), ("POST", "/v1/sessions", "{}"),
            ("DELETE", "/v1/sessions/\(UUID())", ""), ("PUT", "/v1/me/profile", "{}"), ("PATCH", "/v1/uploads/x", ""),
        ] {
            for origin in foreign {
                let refused = try await server.ask(
                    method, path, as: nil, headers: [("Origin", origin), ("Content-Type", "text/plain")],
                    bytes: Array(body.utf8))
                #expect(refused.status == 403 && refused.code == "other-origin", "\(method) \(path) \(origin)")
            }
            for origin in [own, own.uppercased(), Self.origin, nil] {
                let heard = try await server.ask(
                    method, path, as: nil,
                    headers: [("Content-Type", "application/json")] + (origin.map { [("Origin", $0)] } ?? []),
                    bytes: Array(body.utf8))
                #expect(heard.code != "other-origin", "\(method) \(path) \(origin ?? "none")")
            }
        }
        // Requests that only read need no refusal: without CORS, a browser keeps the answer from such a page.
        let read = try await server.ask("GET", "/v1/me", as: nil, headers: [("Origin", "https://evil.example")])
        #expect(read.status == 200 && read.header("Access-Control-Allow-Origin") == nil)
        await server.stop()
    }

    @Test func withTokensAPagesOriginDoesNotMatter() async throws {
        let server = try await RunningServer()
        let answer = try await server.ask(
            "DELETE", "/v1/sessions/\(UUID())", as: ann, headers: [("Origin", "https://evil.example")])
        #expect(answer.status == 404)
        await server.stop()
    }

    @Test func elsewhereNamesMayBeGiven() async throws {
        let server = try await RunningServer { $0.allowedHosts = ["exams.example.org"] }
        #expect(try await server.ask("GET", "/v1/me", as: ann, headers: [("Host", "exams.example.org")]).status == 200)
        #expect(try await server.ask("GET", "/v1/me", as: ann, headers: [("Host", "localhost")]).status == 421)
        await server.stop()
    }
}

import Foundation
import HTTPClient
import LoopbackServers
import Synchronization
import Testing

/// Proxies come from the environment, which belongs to a process. So each of these tests runs in its own process.
extension CurlClientTests {
    @Test func theEnvironmentNamesTheProxy() async throws {
        for name in ["http_proxy", "all_proxy", "ALL_PROXY"] {
            await #expect(processExitsWith: .success) { [name = name as String] in
                let proxy = try HTTPServer { request in HTTPResponse(status: 200, body: Array(request.url.utf8)) }
                setenv(name, proxy.url, 1)
                let answer = try await CurlClient().exchange(HTTPRequest("GET", "http://host.invalid/a?b"))
                #expect(answer.text == "http://host.invalid/a?b", "\(name)")
            }
        }
    }

    @Test func noProxyIsRespected() async throws {
        await #expect(processExitsWith: .success) {
            let proxy = try HTTPServer { _ in HTTPResponse(status: 502) }
            let server = try HTTPServer { _ in HTTPResponse(status: 200) }
            setenv("http_proxy", proxy.url, 1)
            setenv("no_proxy", "example.com,127.0.0.1", 1)
            #expect(try await CurlClient().exchange(HTTPRequest("GET", server.url)).status == 200)
            #expect(proxy.connectionCount == 0)
        }
    }

    @Test func aProxyThatRefusesTheTunnelWasSentNothingOfTheRequest() async throws {
        await #expect(processExitsWith: .success) {
            let seen = Mutex("")
            let proxy = try TCPServer { connection, _ in
                guard let head = connection.readHead() else { return }
                seen.withLock { $0 = String(decoding: head, as: UTF8.self) }
                connection.write("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n")
                while !connection.read().isEmpty {}
            }
            setenv("https_proxy", "http://127.0.0.1:\(proxy.port)", 1)
            let request = HTTPRequest("PUT", "https://host.invalid/secret", body: .bytes([1]))
            let failure = await problem(of: CurlClient(), request)
            #expect(failure?.kind == .networkUnavailable)
            #expect(seen.withLock { $0 }.hasPrefix("CONNECT host.invalid:443 HTTP/1.1\r\n"))
            #expect(!seen.withLock { $0 }.contains("secret"))
        }
    }

    @Test func aProxyThatIsNotThereWasSentNothing() async throws {
        await #expect(processExitsWith: .success) {
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            let failure = await problem(of: CurlClient(), HTTPRequest("GET", "http://host.invalid/"))
            #expect(failure?.kind == .networkUnavailable)
        }
    }
}

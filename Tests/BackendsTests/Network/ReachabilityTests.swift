import Foundation
import HTTPClient
import LoopbackServers
import Synchronization
import TestSupport
import Testing

@testable import Backends

@Suite struct ReachabilityTests {
    @Test func aBackendThatAnswersIsReachable() async throws {
        let asked = Mutex<[HTTPRequest]>([])
        let server = try HTTPServer { request in
            asked.withLock { $0.append(request) }
            return HTTPResponse(status: 200, body: Array(#"{"status":"ok"}"#.utf8))
        }
        defer { server.stop() }
        let reachability = Reachability(client: CurlClient())
        #expect(await reachability.reachable(.backend(url: server.url + "/api/")) == .reachable)
        #expect(await reachability.reachable(.signedURL(url: server.url, user: "u", template: "t")) == .reachable)
        let supabase = Destination.supabase(url: server.url, key: "sb_publishable_1", template: "t", email: "e")
        #expect(await reachability.reachable(supabase) == .reachable)
        let requests = asked.withLock { $0 }
        #expect(requests.map(\.path) == ["/api/health", "/health", "/auth/v1/health"])
        #expect(requests.allSatisfy { $0.header("authorization") == nil })
        #expect(requests.last?.header("apikey") == "sb_publishable_1")
    }

    @Test func anUnhealthyOrForeignServerIsUnreachable() async throws {
        let page = HTTPResponse(status: 200, headers: ["content-type": "text/html"], body: Array("<html>".utf8))
        for response in [HTTPResponse(status: 503), HTTPResponse(status: 404), page] {
            let reach = await Reachability(client: FixedAnswer(response)).reachable(.backend(url: "https://a.org"))
            #expect(reach == .unreachable("the server answers, but with an error: \(response.status)"))
        }
    }

    @Test func aMissingServerIsReportedWithTheReason() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: 200) }
        let url = server.url
        server.stop()
        let reach = await Reachability(client: CurlClient()).reachable(.backend(url: url))
        guard case .unreachable(let words) = reach else {
            Issue.record("\(reach)")
            return
        }
        #expect(!words.isEmpty)
    }

    /// A user waits for this check before an exam, so it takes at most three seconds, independently of other limits.
    @Test(.endsIfItHangs) func aSilentServerIsNotWaitedFor() async throws {
        struct Silent: HTTPExchanging {
            func exchange(
                _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
            ) async throws(HTTPFailure) -> HTTPResponse {
                #expect([limits.connect, limits.idle, limits.total] == [.seconds(3), .seconds(3), .seconds(3)])
                throw HTTPFailure(.timeout, "a.org was silent for 3 s")
            }
        }
        let silent = await Reachability(client: Silent()).reachable(.backend(url: "https://a.org"))
        #expect(silent == .unreachable("a.org was silent for 3 s"))
        // The same with a real server that sends nothing. Without a limit the test would hang.
        let end = DispatchSemaphore(value: 0)
        let server = try HTTPServer { _ in
            end.wait()
            return HTTPResponse(status: 200)
        }
        let reach = await Reachability(client: CurlClient()).reachable(.backend(url: server.url))
        end.signal()
        server.stop()
        #expect(reach != .reachable)
    }

    @Test func aFolderIsReachableWhenItsMarkIsThere() async throws {
        let sample = try SampleSession(seed: 9)
        let reachability = Reachability(client: FixedAnswer(HTTPResponse(status: 500)))
        let folder = sample.folder + "/destination"
        #expect(await reachability.reachable(.folder(path: folder)) != .reachable)
        try FolderUploader.setUp(folder)
        #expect(await reachability.reachable(.folder(path: folder)) == .reachable)
    }
}

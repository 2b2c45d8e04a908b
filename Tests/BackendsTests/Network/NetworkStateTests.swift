import Foundation
import HTTPClient
import LoopbackServers
import Synchronization
import SystemSupport
import TestSupport
import Testing
import UploadQueue

@testable import Backends

/// The network from an application's point of view.
@Suite struct NetworkStateTests {
    @Test(.endsIfItHangs) func isOnlineFollowsTheNetwork() async throws {
        let reach = Mutex(Reachability.Reach.unreachable("no such host"))
        var intervals = NetworkWatch.Intervals()
        (intervals.online, intervals.offline) = (.milliseconds(5), .milliseconds(5))
        let watch = NetworkWatch(intervals) { reach.withLock { $0 } }
        var heard: [Bool] = []
        for await isOnline in watch.changes {
            heard.append(isOnline)
            #expect(watch.isOnline == isOnline && (watch.obstacle == nil) == isOnline)
            if heard.count == 4 { break }
            reach.withLock { $0 = isOnline ? .unreachable("gone") : .reachable }
        }
        #expect(heard == [false, true, false, true])
        reach.withLock { $0 = .unreachable("gone") }
        #expect(await !watch.isOnlineNow())
    }

    @Test(.endsIfItHangs) func aReleasedWatchStopsAsking() async throws {
        final class Line: Sendable {}
        struct Held { weak var line: Line? }
        var line: Line? = Line()
        let held = Held(line: line)
        var intervals = NetworkWatch.Intervals()
        (intervals.online, intervals.offline) = (.milliseconds(1), .milliseconds(1))
        var watch: NetworkWatch? = NetworkWatch(intervals) { [line] in
            withExtendedLifetime(line) { .reachable }
        }
        line = nil
        var changes = try #require(watch?.changes).makeAsyncIterator()
        #expect(await changes.next() == true)
        watch = nil
        #expect(await changes.next() == nil, "the changes end with the watch")
        // The watch releases its reference after the last check.
        try await eventually("it asks no more") { held.line == nil }
    }

    @Test func eachFailureHasATitleASentenceAndWhetherToTryAgain() {
        let retryable: Set<DeliveryFailure.Kind> = [.unreachable, .timedOut, .transient]
        for kind in DeliveryFailure.Kind.allCases {
            let problem = ServiceProblem(DeliveryFailure(kind, code: "503", message: "words"), at: "a.org")
            #expect(!problem.title.isEmpty && problem.sentence.contains("words"), "\(kind)")
            #expect(problem.isRetryable == retryable.contains(kind), "\(kind)")
        }
        let strange = DeliveryFailure(.transient, code: "200", message: "the answer is not the rows")
        #expect(ServiceProblem(strange, at: "a.org").kind == .decoding)
        #expect(ServiceProblem(Problem(.denied, "denied")).isRetryable == false)
        #expect(ServiceProblem(Problem(.unavailable, "away")).isRetryable)
    }

    @Test func fetchingLoadsOrFailsAndCancellingChangesNothing() async {
        let loaded = await Loadable<Int>.of { () throws(Problem) in 7 }
        #expect(loaded == .loaded(7) && loaded.value == 7 && loaded.problem == nil)
        let failed = await Loadable<Int>.of { () throws(Problem) in throw Problem(.unavailable, "away") }
        #expect(failed.problem?.sentence == "away" && failed.value == nil)
        let task = Task { () -> Loadable<Int> in
            while !Task.isCancelled { await Task.yield() }
            return await .of { () throws(Problem) in 7 }
        }
        task.cancel()
        #expect(await task.value == .idle)
    }

    @Test(.endsIfItHangs) func anExchangeTakesNoLongerThanTheClientsTimeOut() async throws {
        let end = DispatchSemaphore(value: 0)
        let server = try HTTPServer { _ in
            end.wait()
            return HTTPResponse(status: 200)
        }
        defer {
            end.signal()
            server.stop()
        }
        let client = CurlClient(timeout: .milliseconds(200))
        let failure = await #expect(throws: HTTPFailure.self) {
            try await client.exchange(HTTPRequest("GET", server.url))
        }
        #expect(failure?.kind == .timeout)
    }
}

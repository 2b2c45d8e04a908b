import Foundation
import HTTPClient
import LoopbackServers
import Synchronization
import TestSupport
import Testing

/// The proxy's faults, seen from both of its sides, and the client's names for them.
@Suite struct FaultProxyTests {
    let client = CurlClient()
    /// The complete requests that the server received.
    let seen = Seen()
    let server: HTTPServer

    init() throws {
        let seen = seen
        server = try HTTPServer { request in
            seen.append(request)
            return HTTPResponse(status: 200, body: Array("the answer to \(request.bytes.count) bytes".utf8))
        }
    }

    private func proxy(_ script: Fault...) throws -> FaultProxy { try FaultProxy(to: server.port, script: script) }

    private func put(_ proxy: FaultProxy, byteCount: Int = 10_000) -> HTTPRequest {
        HTTPRequest("PUT", proxy.url + "/take", body: .bytes(Array(repeating: 1, count: byteCount)))
    }

    /// Limits with a short idle time, which only an answer that never comes exceeds.
    private var short: HTTPLimits {
        var limits = HTTPLimits.patient
        limits.idle = .milliseconds(400)
        return limits
    }

    @Test(arguments: [Fault.none, .latency(.milliseconds(20)), .slow(bytesPerSecond: 50_000)])
    func delaysLoseNothing(_ fault: Fault) async throws {
        let proxy = try proxy(fault)
        #expect(try await client.exchange(put(proxy), limits: .patient).text == "the answer to 10000 bytes")
        #expect(seen.all.map(\.bytes.count) == [10_000])
        #expect(proxy.connectionCount == 1)
    }

    @Test func slowIsAsSlowAsItSays() async throws {
        let proxy = try proxy(.slow(bytesPerSecond: 50_000))
        let start = ContinuousClock.now
        _ = try await client.exchange(put(proxy, byteCount: 25_000), limits: .patient)
        #expect(ContinuousClock.now - start > .milliseconds(450))
    }

    @Test(arguments: [0, 1, 50, 5_000, 10_000])
    func aResetOnTheWayUpLeavesTheServerWithNothingWhole(_ count: Int) async throws {
        let proxy = try proxy(.resetAfterUp(count))
        let failure = try #require(await problem(of: client, put(proxy)))
        // A reset may arrive before the client has noticed that it was connected.
        #expect(failure.kind == .connectionLost || count == 0 && failure.kind == .networkUnavailable)
        #expect(seen.all.isEmpty)
    }

    @Test(arguments: [1, 17, 40, 60])
    func aResetOnTheWayDownComesAfterTheServerActed(_ count: Int) async throws {
        let proxy = try proxy(.resetAfterDown(count))
        let failure = await problem(of: client, put(proxy))
        #expect(failure?.kind == .connectionLost)
        #expect(seen.all.count == 1)
    }

    @Test(arguments: [
        (Fault.stallAfterUp(0), 0), (.stallAfterUp(5_000), 0), (.stallAfterDown(1), 1), (.stallAfterDown(50), 1),
        (.halfOpen, 0),
    ])
    func aStallEndsInSilence(_ fault: Fault, _ acts: Int) async throws {
        let proxy = try proxy(fault)
        let failure = await problem(of: client, put(proxy), limits: short)
        #expect(failure?.kind == .timeout)
        #expect(seen.all.count == acts)
    }

    @Test func aStallAtTheFirstByteAndAHalfOpenConnectionCanBeGivenUp() async throws {
        for fault in [Fault.stallAfterUp(0), .halfOpen, .stallAfterDown(1)] {
            let proxy = try proxy(fault)
            let task = Task { await problem(of: client, put(proxy)) }
            try await eventually("a connection came") { proxy.connectionCount == 1 }
            task.cancel()
            #expect(await task.value?.kind == .cancelled)
            try await eventually("all connections are closed after \(fault)") { proxy.openCount == 0 }
        }
    }

    @Test func aHalfCloseTowardsTheServerEndsTheRequestThere() async throws {
        let proxy = try proxy(.halfCloseAfterUp(5_000))
        // The server closes the connection when the request ends early, and the proxy passes that on.
        #expect(await problem(of: client, put(proxy))?.kind == .connectionLost)
        #expect(seen.all.isEmpty)
    }

    @Test(arguments: [1, 20, 60])
    func aHalfCloseTowardsTheClientIsNotAnAnswer(_ count: Int) async throws {
        let proxy = try proxy(.halfCloseAfterDown(count))
        let failure = await problem(of: client, put(proxy))
        #expect(failure?.kind == .connectionLost, "\(failure?.sentence ?? "an answer")")
        #expect(seen.all.count == 1)
    }

    @Test func aDuplicateReachesTheServerTwiceAndIsAnsweredOnce() async throws {
        let proxy = try proxy(.duplicate)
        for count in [10_000, 0, 7] {
            let answer = try await client.exchange(put(proxy, byteCount: count), limits: .patient)
            #expect(answer.text == "the answer to \(count) bytes")
        }
        #expect(seen.all.map(\.bytes.count) == [10_000, 10_000, 0, 0, 7, 7])
        #expect(proxy.connectionCount == 1)
    }

    @Test func aLostAnswerWasGiven() async throws {
        let proxy = try proxy(.lostAnswer)
        #expect(await problem(of: client, put(proxy))?.kind == .connectionLost)
        #expect(seen.all.count == 1)
        // The next connection works.
        #expect(try await client.exchange(put(proxy), limits: .patient).status == 200)
        #expect(seen.all.count == 2)
    }

    @Test func aServerThatIsNotThereIsAReset() async throws {
        let proxy = try proxy()
        server.stop()
        try await eventually("connections are refused") { (try? TCPConnection(port: server.port)) == nil }
        let failure = try #require(await problem(of: client, put(proxy)))
        #expect([.connectionLost, .networkUnavailable].contains(failure.kind))
    }

    @Test func stoppingCutsWhatIsStalled() async throws {
        let proxy = try FaultProxy(to: server.port) { [.stallAfterUp(0), .halfOpen, .stallAfterDown(1)][$0 % 3] }
        let tasks = (0..<9).map { _ in Task { await problem(of: client, put(proxy)) } }
        try await eventually("nine connections came") { proxy.connectionCount == 9 }
        proxy.stop()
        for task in tasks { #expect(await task.value?.kind == .connectionLost) }
        try await eventually("all connections are closed") { proxy.openCount == 0 }
    }

    @Test func aSeedDrawsTheSameFaultsAgainAndEachKind() {
        func draw(_ seed: UInt64) -> [Fault] {
            (0..<200).map { Fault.drawn(seed: seed, number: $0, byteCount: 10_000) }
        }
        #expect(draw(1) == draw(1))
        #expect(draw(1) != draw(2))
        #expect(Set(draw(1).map { "\($0)".prefix { $0 != "(" } }).count == 12)
    }

    /// With any drawn fault, an exchange ends. An answer is complete and the right one. If the client says that nothing
    /// was sent, nothing reached the server.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func everyDrawnFaultEndsAndIsNotMisjudged(_ seed: UInt64) async throws {
        let proxy = try FaultProxy(to: server.port) { .drawn(seed: seed, number: $0, byteCount: 10_000) }
        var answers = 0
        for _ in 0..<3 {
            let before = seen.all.count
            do throws(HTTPFailure) {
                let answer = try await client.exchange(put(proxy), limits: short)
                #expect(answer.text == "the answer to 10000 bytes")
                answers += 1
            } catch {
                #expect([.connectionLost, .timeout, .networkUnavailable].contains(error.kind), "\(error)")
                if error.kind == .networkUnavailable { #expect(seen.all.count == before) }
            }
        }
        #expect(seen.all.count >= answers)
        #expect(seen.all.allSatisfy { $0.bytes.count == 10_000 })
    }
}

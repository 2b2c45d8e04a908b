import Foundation
import HTTPClient
import LoopbackServers
import TestSupport
import Testing

/// A cancelled exchange ends, and reports nothing afterwards.
extension CurlClientTests {
    @Test(.endsIfItHangs) func aCancelledExchangeClosesItsConnection() async throws {
        let asked = AsyncStream<Void>.makeStream()
        let gone = AsyncStream<Void>.makeStream()
        let server = try TCPServer { connection, _ in
            guard connection.readHead() != nil else { return }
            asked.continuation.yield()
            while !connection.read().isEmpty {}
            gone.continuation.yield()
        }
        defer { server.stop() }
        let task = Task { await problem(of: client, HTTPRequest("GET", "http://127.0.0.1:\(server.port)")) }
        for await _ in asked.stream { break }
        task.cancel()
        // The server never answers, so only the cancellation can end it.
        #expect(await task.value?.kind == .cancelled)
        for await _ in gone.stream { break }
    }

    @Test(.endsIfItHangs) func nothingIsReportedAfterACancellation() async throws {
        let gone = AsyncStream<Void>.makeStream()
        let started = AsyncStream<Void>.makeStream()
        let server = try TCPServer(receiveBuffer: 16 * 1024) { connection, _ in
            // A slow reader, so that the client has something to report all the time.
            while !connection.read(atMost: 4096).isEmpty { usleep(1000) }
            gone.continuation.yield()
        }
        defer { server.stop() }
        let den = try Den()
        let file = try den.sparseFile("take", byteCount: 64 << 20)
        let reports = Count()
        let endings = Count()
        let late = Count()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let failure = await problem(
                    of: client,
                    HTTPRequest(
                        "PUT", "http://127.0.0.1:\(server.port)",
                        body: .file(path: file, offset: 0, byteCount: 64 << 20))
                ) { _ in
                    if endings.value > 0 { late.add() }
                    if reports.add() == 3 { started.continuation.yield() }
                }
                endings.add()
                #expect(failure?.kind == .cancelled)
            }
            for await _ in started.stream { break }
            group.cancelAll()
            try await group.waitForAll()
        }
        for await _ in gone.stream { break }
        // Many iterations of the client's loop follow.
        for _ in 0..<3 {
            #expect(await problem(of: client, HTTPRequest("GET", "http://127.0.0.1:1"))?.kind == .networkUnavailable)
        }
        #expect(late.value == 0)
    }

    @Test func anExchangeCancelledBeforehandNeverBegins() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: 200) }
        defer { server.stop() }
        let gate = Gate(2)
        let task = Task.detached {
            gate.arriveAndWait()
            return await problem(of: client, HTTPRequest("GET", server.url))
        }
        task.cancel()
        gate.open()
        #expect(await task.value?.kind == .cancelled)
        #expect(server.connectionCount == 0)
    }

    /// Cancellation may come at any moment. Each exchange ends once, with an answer or as cancelled. (A second end
    /// would crash.)
    @Test func cancellationMayComeAtAnyMoment() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: 200) }
        defer { server.stop() }
        let answered = Count()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let task = Task { await problem(of: client, HTTPRequest("GET", server.url)) }
                    for _ in 0..<(number % 80) { await Task.yield() }
                    task.cancel()
                    let failure = await task.value
                    #expect(failure == nil || failure?.kind == .cancelled, "\(failure?.sentence ?? "")")
                    if failure == nil { answered.add() }
                }
            }
        }
        // Usually both happen, but that depends on the machine.
        print("of 400 cancelled exchanges \(answered.value) had been answered")
        #expect(try await client.exchange(HTTPRequest("GET", server.url)).status == 200)
    }
}

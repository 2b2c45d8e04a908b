import Dispatch
import Foundation
import LoopbackServers
import StoreTrials
import TestSupport
import Testing

@testable import ExamStore

/// A database that goes away and comes back.
@Suite(.store(only: .postgres, because: "A database in the same process does not go away.")) struct Outages {
    /// Repeats a call until it works.
    private static func eventually<Value>(_ body: () async throws -> Value?) async throws -> Value {
        var found: Value?
        try await TestSupport.eventually("the database is back") {
            found = try? await body()
            return found != nil
        }
        return try #require(found)
    }

    @Test func aKilledServerComesBackWithAllThatWasAcknowledged() async throws {
        let server = try await PostgresServer.start()
        let store = try ExamDatabase.postgres(try await server.makeDatabase(), connections: 4)
        try await store.migrate()
        let user = UUID()
        // Several tasks write while the server is killed.
        let acknowledged = try await withThrowingTaskGroup(of: [UUID].self) { group in
            for _ in 0..<6 {
                group.addTask {
                    var kept: [UUID] = []
                    while true {
                        let session = Sample.session()
                        do {
                            _ = try await store.owned(by: user).put(session)
                            kept.append(session.id)
                        } catch let error as StoreError {
                            #expect(error.kind == .unavailable, "\(error)")
                            return kept
                        }
                    }
                }
            }
            _ = try await Self.eventually { try await store.owned(by: user).usage().sessions > 50 ? true : nil }
            await server.kill()
            return try await group.reduce([], +)
        }
        #expect(acknowledged.count > 40)
        await expect(.unavailable) { try await store.ping() }
        try await server.restart()
        let usage = try await Self.eventually { try await store.owned(by: user).usage() }
        // Each writer may have stored one more session whose confirmation was lost.
        #expect((acknowledged.count...acknowledged.count + 6).contains(usage.sessions))
        for id in acknowledged { #expect(try await store.owned(by: user).session(id) != nil) }
        await store.close()
    }

    @Test func aHangingServerBlocksNoCallForever() async throws {
        let server = try await PostgresServer.start()
        let patience = PostgresPatience(connecting: 1, answer: 1, rest: 0)
        let url = try await server.makeDatabase()
        let store = try ExamDatabase.postgres(url, connections: 2)
        try await store.migrate()
        await store.close()
        let hasty = try ExamDatabase.postgres(url, connections: 2, patience: patience)
        try await Self.eventually { try await hasty.ping() }
        server.freeze()
        // One connection that is open, and one that is not made yet.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { await expect(.unavailable) { try await hasty.ping() } } }
        }
        server.thaw()
        try await Self.eventually { try await hasty.ping() }
        await hasty.close()
    }

    @Test func aListenerWhoseConnectionIsCutListensAgain() async throws {
        let (place, server) = (try await TestDatabase(), try await PostgresServer.shared.value)
        let (store, other) = (try place.open(), try place.open())
        let name = String(place.address.split(separator: "/").last!)
        try await store.migrate()
        let (session, _) = try await store.hold(UUID())
        var wakes = store.service.wakeUps().makeAsyncIterator()
        _ = await wakes.next()
        let listening = "SELECT pid FROM pg_stat_activity WHERE datname = '\(name)' AND query ~ '^LISTEN'"
        let first = try await Self.eventually {
            let pid = try await server.execute(listening, in: name)
            return pid.isEmpty ? nil : pid
        }
        try await server.execute("SELECT pg_terminate_backend(\(first))", in: name)
        let second = try await Self.eventually {
            let pid = try await server.execute(listening, in: name)
            return pid.isEmpty || pid == first ? nil : pid
        }
        #expect(first != second)
        try await other.enqueue(session)
        var claimed: Job?
        while claimed == nil, await wakes.next() != nil {
            claimed = try await store.service.claim(worker: "w", seconds: 60)
        }
        #expect(claimed?.session == session)
        await other.close()
        await store.close()
    }

    @Test func noErrorHasAPasswordInIt() async throws {
        let secret = "pa55-w0rd"
        let addresses: [(String, StoreError.Kind)] = [
            ("postgresql://user:\(secret)@127.0.0.1:1/exam", .unavailable),
            ("postgresql://user@127.0.0.1:1/exam?password=\(secret)", .unavailable),
            ("postgresql://user:\(secret)@127.0.0.1:\(secret)/exam", .unavailable),
            ("postgresql://user:%zz\(secret)@/exam", .unusable),
            ("host=127.0.0.1 port=1 password=\(secret) nonsense=\(secret)", .unusable),
            ("mysql://user:\(secret)@host/exam", .unusable), ("postgresql://user:\(secret)@[::1/exam", .unusable),
        ]
        for (url, kind) in addresses {
            let words = await expect(kind) { try await ExamDatabase.postgres(url).ping() }
            #expect(!words.contains(secret), "\(url)")
        }
    }

    @Test func aRefusedPasswordIsNotInTheError() async throws {
        let (server, secret) = (try await PostgresServer.shared.value, "pa55-w0rd")
        let store = try ExamDatabase.postgres(
            "postgresql://\(PostgresServer.role):\(secret)@127.0.0.1:\(server.port)/postgres")
        let words = await expect(.unavailable) { try await store.ping() }
        #expect(!words.contains(secret))
        await store.close()
    }

    @Test(.bothStores) func aClosedStoreSaysSo() async throws {
        let place = try await TestDatabase()
        let store = try place.open()
        try await store.migrate()
        await store.close()
        await expect(.unavailable) { try await store.ping() }
        await expect(.unavailable) { _ = try await store.owned(by: UUID()).put(Sample.session()) }
        for await _ in store.service.wakeUps() {}
    }

    @Test(.store(only: .sqlite, because: "PostgreSQL has many writers."))
    func aLockedFileIsWaitedForAndThenUnavailable() async throws {
        let place = try await TestDatabase()
        let (holder, store) = (try place.open(), try ExamDatabase.sqlite(path: place.address, patience: 0.1))
        try await holder.migrate()
        let (held, letGo) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        async let holding: Void = holder.database.transaction(.write, as: .service) { _ in
            held.continuation.finish()
            letGo.wait()  // On SQLite's own queue.
        }
        for await _ in held.stream {}
        await expect(.unavailable) { _ = try await store.owned(by: UUID()).put(Sample.session()) }
        #expect(try await store.owned(by: UUID()).templates().isEmpty)
        letGo.signal()
        try await holding
        #expect(try await store.owned(by: UUID()).put(Sample.session()) == .created)
        await holder.close()
        await store.close()
    }
}

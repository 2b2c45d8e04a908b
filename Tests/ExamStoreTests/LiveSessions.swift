import ExamStore
import Foundation
import StoreTrials
import Testing

@Suite(.bothStores) struct LiveSessions {
    @Test func aSessionBelongsToOneNodeAtATime() async throws {
        try await withStore { store in
            let service = store.service
            let (session, _) = try await store.hold(UUID(), answers: 0)
            let taken = try await service.takeLease(session, node: "a", url: "http://a", seconds: 60)
            #expect(taken == .taken)
            #expect(try await service.takeLease(session, node: "a", url: "http://a", seconds: 60) == .taken)
            #expect(
                try await service.takeLease(session, node: "b", url: "http://b", seconds: 60)
                    == .heldBy(url: "http://a"))
            #expect(try await service.renewLeases(node: "a", seconds: 60) == [session])
            #expect(try await service.renewLeases(node: "b", seconds: 60).isEmpty)
            try await service.releaseLease(session, node: "b")
            #expect(
                try await service.takeLease(session, node: "b", url: "http://b", seconds: 60)
                    == .heldBy(url: "http://a"))
            try await service.releaseLease(session, node: "a")
            #expect(try await service.takeLease(session, node: "b", url: "http://b", seconds: 60) == .taken)
            #expect(try await service.renewLeases(node: "a", seconds: 60).isEmpty)
            #expect(try await service.takeLease(UUID(), node: "b", url: "", seconds: 60) == .noSuchSession)
        }
    }

    @Test func anExpiredLeaseIsFree() async throws {
        try await withStore { store in
            let service = store.service
            let (session, _) = try await store.hold(UUID(), answers: 0)
            // A lease that has ended at once, so that the test doesn't have to wait.
            _ = try await service.takeLease(session, node: "a", url: "http://a", seconds: -1)
            #expect(try await service.takeLease(session, node: "b", url: "http://b", seconds: 60) == .taken)
            // The first node is late, and may not write any more.
            await expect(.conflict) { try await service.append(["late"], to: session, from: 1, node: "a") }
            try await service.append(["in time"], to: session, from: 1, node: "b")
            #expect(try await service.renewLeases(node: "a", seconds: 60).isEmpty)
        }
    }

    @Test func anAbandonedExamIsFound() async throws {
        try await withStore { store in
            let (service, user) = (store.service, UUID())
            let (session, _) = try await store.hold(user, answers: 0)
            let began = try #require(try await service.session(session)).startedAt
            func found(before moment: String) async throws -> [UUID] {
                try await service.abandonedExams(startedBefore: moment, limit: 10).map(\.session)
            }
            // A session that was uploaded is not a live exam.
            #expect(try await found(before: "2100-01-01T00:00:00Z").isEmpty)
            _ = try await service.setLiveToken("hash", session: session)
            #expect(try await found(before: "2100-01-01T00:00:00Z") == [session])
            #expect(try await found(before: began).isEmpty)
            _ = try await service.takeLease(session, node: "a", url: "http://a", seconds: 60)
            #expect(try await found(before: "2100-01-01T00:00:00Z").isEmpty)
            _ = try await service.takeLease(session, node: "a", url: "http://a", seconds: -1)
            #expect(try await found(before: "2100-01-01T00:00:00Z") == [session])
            let end = Completion(id: UUID(), completedAt: began, outcome: nil, answers: 0)
            _ = try await store.owned(by: user).complete(session, end)
            #expect(try await found(before: "2100-01-01T00:00:00Z").isEmpty)
        }
    }

    @Test func onlyOneOfManyNodesTakesASession() async throws {
        try await withStore { store in
            let (session, _) = try await store.hold(UUID(), answers: 0)
            let leases = try await withThrowingTaskGroup(of: Lease.self) { group in
                for node in 0..<10 {
                    group.addTask {
                        try await store.service.takeLease(session, node: "\(node)", url: "", seconds: 60)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(leases.count { $0 == .taken } == 1)
        }
    }

    @Test func aLogGrowsLineByLineAndNothingInItChanges() async throws {
        try await withStore { store in
            let service = store.service
            let (session, _) = try await store.hold(UUID(), answers: 0)
            try await service.append(["one", "two"], to: session, from: 1)
            try await service.append(["two", "three"], to: session, from: 2)
            #expect(try await service.lines(of: session) == ["one", "two", "three"])
            await expect(.conflict) { try await service.append(["other"], to: session, from: 3) }
            await expect(.conflict) { try await service.append(["gap"], to: session, from: 5) }
            await expect(.conflict) { try await service.append(["lost"], to: UUID(), from: 1) }
            #expect(try await service.lines(of: session) == ["one", "two", "three"])
        }
    }

    @Test func filesAreKeptByteByByte() async throws {
        try await withStore { store in
            let (session, _) = try await store.hold(UUID(), answers: 0)
            let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try await store.service.put("exam.json", bytes, session: session)
            try await store.service.put("notes", [], session: session)
            try await store.service.put("notes", [0, 255, 92], session: session)
            #expect(try await store.service.files(of: session) == ["exam.json": bytes, "notes": [0, 255, 92]])
            await expect(.conflict) { try await store.service.put("notes", [], session: UUID()) }
        }
    }

    @Test func aLiveTokenOpensOneSessionUntilAnotherIsGiven() async throws {
        try await withStore { store in
            let (user, service) = (UUID(), store.service)
            let (session, _) = try await store.hold(user, answers: 0)
            _ = try await service.setLiveToken("hash-1", session: session)
            let found = try #require(try await service.session(byLiveToken: "hash-1"))
            #expect(found.session == session && found.user == user)
            _ = try await service.setLiveToken("hash-2", session: session)
            #expect(try await service.session(byLiveToken: "hash-1") == nil)
            _ = try await service.setLiveToken(nil, session: session)
            #expect(try await service.session(byLiveToken: "hash-2") == nil)
            #expect(try await service.setLiveToken("hash-3", session: UUID()) == false)
            #expect(try await service.owner(of: session) == user)
            #expect(try await service.sessionCounts() == ["in_progress": 1])
        }
    }
}

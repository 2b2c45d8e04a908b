import ExamCore
import ExamStore
import Foundation
import Testing

@Suite struct Jobs {
    @Test(arguments: Base.here) func aJobIsQueuedOnceByItsKey(_ base: Base) async throws {
        try await withStore(base) { store in
            let (session, _) = try await store.hold(UUID())
            let first = try await store.service.enqueue("export", session: session, key: "k")
            #expect(first)
            #expect(try await store.service.enqueue("export", session: session, key: "k") == false)
            let job = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(job.kind == "export" && job.session == session && job.attempt == 1)
            #expect(try await store.service.claim(worker: "w", seconds: 60) == nil)
            #expect(try await store.service.complete(job))
            #expect(try await store.service.complete(job) == false)
            #expect(try await store.service.enqueue("export", session: session, key: "k") == false)
            await expect(.conflict) { _ = try await store.service.enqueue("export", session: UUID(), key: "l") }
        }
    }

    @Test(arguments: Base.here) func aSessionsStatusFollowsItsEvaluation(_ base: Base) async throws {
        try await withStore(base) { store in
            let mine = store.owned(by: UUID())
            let (session, _) = try await store.hold(mine.user)
            _ = try await mine.complete(session, Sample.completion(answers: 1))
            var job = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(try await mine.session(session)?.status == .processing)
            for attempt in 2...6 {
                #expect(try await store.service.fail(job, "no", retryIn: 0) == .retry(after: 0))
                job = try #require(try await store.service.claim(worker: "w", seconds: 60))
                #expect(job.attempt == attempt)
            }
            #expect(try await store.service.fail(job, "no scorer") == .dead)
            #expect(try await mine.session(session)?.status == .failed)
            let dead = try #require(try await store.service.deadJobs().first)
            #expect(dead.words == "no scorer" && dead.attempts == 6 && dead.session == session)
            #expect(try await store.service.claim(worker: "w", seconds: 60) == nil)
            #expect(try await store.service.revive(job: dead.id))
            job = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(try await store.service.put(StoredResult(overallBand: 7), session: session))
            #expect(try await store.service.complete(job))
            #expect(try await mine.session(session)?.status == .evaluated)
            let stats = try await store.service.jobStats()
            #expect(stats.completed == 1 && stats.dead == 0 && stats.oldestAge == nil)
        }
    }

    @Test(arguments: Base.here) func aRetryWaitsUntilItIsDue(_ base: Base) async throws {
        try await withStore(base) { store in
            let (session, _) = try await store.hold(UUID())
            _ = try await store.service.enqueue("export", session: session, key: "k")
            let job = try #require(try await store.service.claim(worker: "w", seconds: 60))
            guard case .retry(let delay) = try await store.service.fail(job, "no") else {
                Issue.record("it is not tried again")
                return
            }
            #expect((1...6).contains(delay))
            #expect(try await store.service.fail(job, "no") == .lost)
            _ = try await store.service.enqueue("export", session: session, key: "far")
            let far = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(try await store.service.fail(far, "no", retryIn: 3_600) == .retry(after: 3_600))
            #expect(try await store.service.claim(worker: "w", seconds: 60) == nil)
            let stats = try await store.service.jobStats()
            #expect(stats.failed == 2 && stats.oldestAge! >= 0)
        }
    }

    @Test(arguments: Base.here) func aWorkerThatDiesGivesItsJobBack(_ base: Base) async throws {
        try await withStore(base) { store in
            let (session, _) = try await store.hold(UUID())
            _ = try await store.service.enqueue("export", session: session, key: "k", maxRetries: 1)
            let lost = try #require(try await store.service.claim(worker: "dead", seconds: -1))
            let again = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(again.id == lost.id && again.attempt == 2)
            // The first one comes back, and has no say any more.
            #expect(try await store.service.complete(lost) == false)
            #expect(try await store.service.extend(lost, seconds: 60) == false)
            #expect(try await store.service.fail(lost, "no") == .lost)
            #expect(try await store.service.extend(again, seconds: -1))
            // It kills its workers: not a third time.
            #expect(try await store.service.claim(worker: "w", seconds: 60) == nil)
            #expect(try await store.service.jobStats().dead == 1)
        }
    }

    @Test(arguments: Base.here) func urgentJobsGoFirstAndOlderOnesBeforeNewer(_ base: Base) async throws {
        try await withStore(base) { store in
            let (session, _) = try await store.hold(UUID())
            for (key, priority) in [("a", 0), ("b", 0), ("c", 5)] {
                _ = try await store.service.enqueue("export", session: session, key: key, priority: priority)
            }
            var keys: [String] = []
            while let job = try await store.service.claim(worker: "w", seconds: 60) { keys.append(job.key) }
            #expect(keys == ["c", "a", "b"])
        }
    }

    @Test(arguments: [(Base.sqlite, 200), (.postgres, 2_000)])
    func manyWorkersClaimEachJobOnce(_ base: Base, _ count: Int) async throws {
        try await withStore(base, connections: 8) { store in
            let (session, _) = try await store.hold(UUID())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<8 {
                    group.addTask {
                        for number in stride(from: lane, to: count, by: 8) {
                            _ = try await store.service.enqueue("export", session: session, key: "\(number)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            let keys = try await withThrowingTaskGroup(of: [String].self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        var keys: [String] = []
                        while let job = try await store.service.claim(worker: "\(worker)", seconds: 600) {
                            keys.append(job.key)
                            #expect(try await store.service.complete(job))
                        }
                        return keys
                    }
                }
                return try await group.reduce([], +)
            }
            #expect(keys.count == count && Set(keys).count == count)
            #expect(try await store.service.jobStats().completed == count)
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: Base.here)
    func aWorkerIsWokenByWhatIsQueued(_ base: Base) async throws {
        let place = try await Place(base)
        defer { place.remove() }
        let store = try place.open()
        try await store.migrate()
        // On PostgreSQL the news comes from another node.
        let other = base == .postgres ? try place.open() : store
        let (session, _) = try await store.hold(UUID())
        var wakes = store.service.wakeUps().makeAsyncIterator()
        _ = await wakes.next()
        for number in 0..<3 {
            _ = try await other.service.enqueue("export", session: session, key: "\(number)")
            var claimed: Job?
            while claimed == nil, await wakes.next() != nil {
                claimed = try await store.service.claim(worker: "w", seconds: 60)
            }
            #expect(claimed?.key == "\(number)")
        }
        await other.close()
        await store.close()
        // Ends, after news that came before nobody listened any more.
        while await wakes.next() != nil {}
    }
}

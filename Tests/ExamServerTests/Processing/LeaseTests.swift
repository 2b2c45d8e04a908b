import ExamCore
import Foundation
import Synchronization
import Testing

@testable import ExamServer
@testable import ExamStore

/// A job's lease while its work goes on.
@Suite(.serialized) struct LeaseTests {
    @Test(.timeLimit(.minutes(2)), arguments: WorkerPlace.Base.here)
    func aCallThatOutlastsItsLeaseIsNobodyElses(_ base: WorkerPlace.Base) async throws {
        try await withWorkerPlace(base) { place, store in
            let called = AsyncStream<Void>.makeStream()
            // Twice as long as the lease would last.
            let assessor = CountingAssessor(place) { step in
                guard case .called = step else { return }
                called.continuation.finish()
                try await Task.sleep(for: .seconds(8))
            }
            let services = try place.services(store, assessors: assessor.panel)
            let (session, _, answers) = try await place.hold(services, answers: 1)
            async let works = Workers(services: services, count: 1, lease: 4).workOnce("w")
            for await _ in called.stream {}
            let began = ContinuousClock.now
            while assessor.paid() == 0 {
                // Somebody else looks for work all the time.
                let job = try await store.service.claim(worker: "x", assessor: assessor.panel.version, seconds: 60)
                #expect(job == nil)
                try await Task.sleep(for: .milliseconds(100))
            }
            #expect(try await works)
            #expect(ContinuousClock.now - began > .seconds(7))
            #expect(assessor.calls(of: answers[0]).map(\.isEnd) == [false, true])
            #expect(try await store.service.session(session)?.status == .evaluated)
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: WorkerPlace.Base.here)
    func aLeaseThatIsLostStopsTheWork(_ base: WorkerPlace.Base) async throws {
        try await withWorkerPlace(base) { place, store in
            let called = AsyncStream<Void>.makeStream()
            let stopped = Mutex(0)
            let assessor = CountingAssessor(place) { step in
                guard case .called = step, stopped.withLock({ $0 }) == 0 else { return }
                called.continuation.finish()
                do {
                    try await Task.sleep(for: .seconds(100))
                } catch {
                    stopped.withLock { $0 += 1 }
                    throw error
                }
            }
            let services = try place.services(store, assessors: assessor.panel)
            let (session, _, answers) = try await place.hold(services, answers: 2)
            async let works = Workers(services: services, count: 1, lease: 3).workOnce("w")
            for await _ in called.stream {}
            // Its node was frozen, and the lease ran out.
            var other: Job?
            while other == nil {
                try await expireLeases(store)
                other = try await store.service.claim(worker: "x", assessor: assessor.panel.version, seconds: 60)
            }
            let job = other!
            #expect(try await works)
            // Both answers may have been put by then, since several are at a time.
            #expect((1...2).contains(stopped.withLock { $0 }))
            // No call came to its end, and the job is still the other one's, who never heard of a failure.
            #expect(assessor.paid() <= 1)
            #expect(try await store.service.extend(job, seconds: 60))
            #expect(try await store.service.giveBack(job))
            // The answer whose call was stopped is asked about again; the other one for the first time.
            #expect(try await Workers(services: services, count: 1).workOnce("w") == true)
            #expect(answers.map { assessor.paid(for: $0) } == [1, 1])
            #expect(try await store.service.session(session)?.status == .evaluated)
        }
    }

    @Test(.timeLimit(.minutes(2))) func aWorkerThatIsStoppedGivesItsJobBackAtOnce() async throws {
        try await withWorkerPlace(.sqlite) { place, store in
            let called = AsyncStream<Void>.makeStream()
            let assessor = CountingAssessor(place) { step in
                guard case .called = step else { return }
                called.continuation.finish()
                try await Task.sleep(for: .seconds(100))
            }
            let services = try place.services(store, assessors: assessor.panel)
            _ = try await place.hold(services, answers: 1)
            let works = Task { try await Workers(services: services, count: 1).workOnce("w") }
            for await _ in called.stream {}
            works.cancel()
            #expect(try await works.value)
            let job = try #require(
                try await store.service.claim(worker: "x", assessor: assessor.panel.version, seconds: 60))
            #expect(job.attempt == 1)
        }
    }

    /// What was found while the store was away is kept when it is back.
    @Test(.timeLimit(.minutes(2))) func aStoreThatIsAwayCostsNoSecondCall() async throws {
        try await withWorkerPlace(.sqlite) { place, store in
            let hasty = try ExamDatabase.sqlite(path: place.database, patience: 0.05)
            let (held, letGo) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
            let said = AsyncStream<Void>.makeStream()
            let assessor = CountingAssessor(place) { step in
                guard case .said = step else { return }
                said.continuation.finish()
                for await _ in held.stream {}
            }
            let services = try place.services(hasty, assessors: assessor.panel)
            let (session, _, _) = try await place.hold(services, answers: 1)
            async let works = Workers(services: services, count: 1).workOnce("w")
            for await _ in said.stream {}
            async let holding: Void = store.database.transaction(.write, as: .service) { _ in
                held.continuation.finish()
                letGo.wait()  // On SQLite's own queue.
            }
            for await _ in held.stream {}
            try await Task.sleep(for: .milliseconds(600))
            letGo.signal()
            try await holding
            #expect(try await works)
            #expect(assessor.paid() == 1)
            #expect(try await store.service.session(session)?.status == .evaluated)
            await hasty.close()
        }
    }
}

/// As if all workers had been away for two minutes.
func expireLeases(_ store: ExamDatabase) async throws {
    try await store.service.write {
        _ = try $0.change("UPDATE processing_queue SET claimed_until = 0 WHERE status = 'processing'")
    }
}

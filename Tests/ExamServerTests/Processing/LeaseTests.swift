import ExamCore
import Foundation
import StoreTrials
import Synchronization
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore
@testable import ServerWork

/// A job's lease during the work.
@Suite(.serialized, .bothStores) struct LeaseTests {
    @Test(.endsIfItHangs)
    func aCallLongerThanItsLeaseKeepsTheJob() async throws {
        try await withWorkerPlace { place, store in
            let called = AsyncStream<Void>.makeStream()
            let answered = AsyncStream<Void>.makeStream()
            let assessor = CountingAssessor(place) { step in
                guard case .called = step else { return }
                called.continuation.finish()
                for await _ in answered.stream {}
            }
            let services = try place.services(store, assessors: assessor.panel)
            let (session, _, answers) = try await place.hold(services, answers: 1)
            async let works = Workers(services: services, count: 1, lease: 600, renewals: 6_000).workOnce("w")
            for await _ in called.stream {}
            // Pretend four times that half of the lease has passed. Without renewals it would have expired twice.
            for _ in 0..<4 {
                try await store.service.write {
                    _ = try $0.change("UPDATE processing_queue SET claimed_until = claimed_until - 300")
                }
                try await eventually("the lease is renewed") { try await leaseIsLong(store) }
                let job = try await store.service.claim(worker: "x", assessor: assessor.panel.version, seconds: 60)
                #expect(job == nil)
            }
            answered.continuation.finish()
            #expect(try await works)
            #expect(assessor.calls(of: answers[0]).map(\.isEnd) == [false, true])
            #expect(try await store.service.session(session)?.status == .evaluated)
        }
    }

    @Test(.endsIfItHangs)
    func aLeaseThatIsLostStopsTheWork() async throws {
        try await withWorkerPlace { place, store in
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
            async let works = Workers(services: services, count: 1, lease: 600, renewals: 6_000).workOnce("w")
            for await _ in called.stream {}
            // Pretend that the node froze until its lease expired.
            var other: Job?
            while other == nil {
                try await expireLeases(store)
                other = try await store.service.claim(worker: "x", assessor: assessor.panel.version, seconds: 60)
            }
            let job = other!
            #expect(try await works)
            // Both answers may have been sent by then, since several are assessed at a time.
            #expect((1...2).contains(stopped.withLock { $0 }))
            // No call came to its end. The job still belongs to the other worker, and no failure was recorded.
            #expect(assessor.paid() <= 1)
            #expect(try await store.service.extend(job, seconds: 60))
            #expect(try await store.service.giveBack(job))
            // The answer whose call was stopped is sent again, the other one for the first time.
            #expect(try await Workers(services: services, count: 1).workOnce("w") == true)
            #expect(answers.map { assessor.paid(for: $0) } == [1, 1])
            #expect(try await store.service.session(session)?.status == .evaluated)
        }
    }

    @Test(.endsIfItHangs) func aWorkerThatIsStoppedGivesItsJobBackAtOnce() async throws {
        try await withWorkerPlace { place, store in
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

    /// A finding that was made while the store was away is stored when it is back.
    @Test(
        .endsIfItHangs,
        .store(only: .sqlite, because: "One writer keeps all others out, which only SQLite does.")
    ) func aStoreThatIsAwayCostsNoSecondCall() async throws {
        try await withWorkerPlace { place, store in
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
            // Each write gives up after a twentieth of a second, and so does the worker's.
            for _ in 0..<8 {
                await #expect(throws: StoreError.self) {
                    try await hasty.service.write { _ = try $0.change("UPDATE processing_queue SET due = due") }
                }
            }
            letGo.signal()
            try await holding
            #expect(try await works)
            #expect(assessor.paid() == 1)
            #expect(try await store.service.session(session)?.status == .evaluated)
            await hasty.close()
        }
    }
}

/// Returns whether a job's lease has more than 450 of its 600 seconds left.
private func leaseIsLong(_ store: ExamDatabase) async throws -> Bool {
    try await store.service.read {
        let row = try $0.first("SELECT min(claimed_until) - {seconds} AS rest FROM processing_queue")!
        let rest: Double = try row.value("rest")
        return rest > 450
    }
}

/// Ends all leases, as if all workers had been away for two minutes.
func expireLeases(_ store: ExamDatabase) async throws {
    try await store.service.write {
        _ = try $0.change("UPDATE processing_queue SET claimed_until = 0 WHERE status = 'processing'")
    }
}

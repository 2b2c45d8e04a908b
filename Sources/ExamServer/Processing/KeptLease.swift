import ExamStore
import SystemSupport

/// The lease of a job, renewed beside the work for as long as it takes.
struct KeptLease: Sendable {
    let job: Job
    let store: ServiceStore
    /// How long it lasts without being renewed.
    let seconds: Double
    /// The number of renewals in that time.
    var renewals = 3.0

    /// Does the work; where the lease is lost, the work's task is cancelled.
    ///
    /// - Throws: what the work throws; `LostLease`.
    func during(_ work: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work() }
            group.addTask { try await renew() }
            defer { group.cancelAll() }
            // Whichever ends first: the work, or the lease.
            try await group.next()
        }
    }

    /// Returns never.
    private func renew() async throws {
        var end = SteadyClock.now + .seconds(seconds)
        while true {
            try await Task.sleep(for: .seconds(seconds / renewals))
            let (asked, isHeld) = (SteadyClock.now, try? await store.extend(job, seconds: seconds))
            if isHeld == true { end = asked + .seconds(seconds) }
            // nil: the store is away, and the lease lasts a while without it.
            if isHeld == false || SteadyClock.now >= end { throw LostLease() }
        }
    }
}

/// The job is somebody else's, or its session was erased.
struct LostLease: Error {}

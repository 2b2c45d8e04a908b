import ExamStore
import SystemSupport

/// The lease of a job, renewed during the work.
struct KeptLease: Sendable {
    let job: Job
    let store: ServiceStore
    /// The length of the lease without renewal.
    let seconds: Double
    /// The number of renewals in that time.
    var renewals = 3.0

    /// Does the work. If the lease is lost, the work's task is cancelled.
    ///
    /// - Throws: the errors of the work, `LostLease`.
    func during(_ work: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work() }
            group.addTask { try await renew() }
            defer { group.cancelAll() }
            // Whichever ends first: the work or the lease.
            try await group.next()
        }
    }

    /// Renews the lease until it is lost. Never returns normally.
    private func renew() async throws {
        var end = SteadyClock.now + .seconds(seconds)
        while true {
            try await Task.sleep(for: .seconds(seconds / renewals))
            let (asked, isHeld) = (SteadyClock.now, try? await store.extend(job, seconds: seconds))
            if isHeld == true { end = asked + .seconds(seconds) }
            // Nil: the store is unavailable, and the lease remains valid for a while.
            if isHeld == false || SteadyClock.now >= end { throw LostLease() }
        }
    }
}

/// Another worker has the job, or its session was erased.
struct LostLease: Error {}

import ExamStore
import Foundation
import Logging
import ServiceLifecycle
import SystemSupport

/// Those who evaluate sessions that are over: one job at a time each, claimed from the store, so that any node may do any of it.
///
/// A worker that dies gives its job back when its lease runs out; one that is stopped gives it back at once; a job that fails is tried
/// again later and later, and kept for a person at last.
struct Workers: Service {
    let services: Services
    let count: Int
    /// Seconds: what a dead worker's job waits for another one. Renewed while the work goes on, however long it takes.
    var lease = 120.0
    /// The number of renewals in that time.
    var renewals = 3.0

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    let name = "\(services.settings.node)/\(number + 1)"
                    group.addTask {
                        await services.work(on: "jobs") { () async throws(StoreError) in try await workOnce(name) }
                    }
                }
                // A service that returns ends all others, and a node may have no workers.
                if count == 0 { group.addTask { try? await gracefulShutdown() } }
            }
        }
    }

    /// Does the next job.
    ///
    /// - Returns: false where there was none.
    func workOnce(_ name: String) async throws(StoreError) -> Bool {
        let service = services.store.service
        let claimed = try await service.claim(worker: name, assessor: services.panel.version, seconds: lease)
        guard let job = claimed else { return false }
        let trace: Logger.Metadata = ["job": "\(job.id.name)", "attempt": "\(job.attempt)", "worker": "\(name)"]
        services.note(.evaluating, job.session, trace)
        do {
            try await KeptLease(job: job, store: service, seconds: lease, renewals: renewals).during {
                try await Evaluation(services: services, job: job).run()
            }
            services.note(.evaluated, job.session, trace)
        } catch is LostLease {
            services.logger.info("a job is another worker's now", metadata: ["session": "\(job.session.name)"])
        } catch {
            await end(job, error)
        }
        return true
    }

    /// What the session's owner may read: no path and no address of this server's.
    private static func words(for error: any Error) -> String {
        switch error {
        case is StoreError: "The database could not be reached."
        case is AudioStoreError: "A recording could not be reached."
        case let away as AssessorsAway: away.words
        case is SoundWorkers.Failure: "Recordings cannot be decoded at this moment."
        default: "\(type(of: error))"
        }
    }

    private func end(_ job: Job, _ error: any Error) async {
        let service = services.store.service
        if Task.isCancelled {
            _ = try? await service.giveBack(job)
            return
        }
        // The kind of an error, never what it says of a recording's content.
        let message =
            (error as? StoreError)?.message ?? (error as? AudioStoreError)?.message
            ?? (error as? AssessorsAway)?.words ?? "\(type(of: error))"
        let metadata: Logger.Metadata = ["session": "\(job.session.name)", "what": "\(message)"]
        let failure = try? await service.fail(
            job, Self.words(for: error), atLeast: (error as? AssessorsAway)?.seconds(at: Date()) ?? 0)
        if failure == .dead {
            services.logger.error("a job was given up", metadata: metadata)
        } else {
            services.logger.warning("a job failed", metadata: metadata)
        }
    }
}

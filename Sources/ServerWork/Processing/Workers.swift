import ExamNode
import ExamStore
import Foundation
import Logging
import RecordingStores
import ServiceLifecycle
import SystemSupport

/// Workers that evaluate finished sessions, one job at a time each. They claim jobs from the store, so any node may do
/// any of them.
///
/// If a worker dies, its job becomes available when the lease ends. If it is stopped, it returns its job at once. A
/// failed job is retried with increasing delays, and finally kept for a person.
struct Workers: Service {
    let services: Services
    let count: Int
    /// The seconds after which a dead worker's job is taken over. The lease is renewed while the work continues.
    var lease = 120.0
    /// The number of renewals in that time.
    var renewals = 3.0

    /// The number of exams in progress whose words this node hears at a time. The recogniser hears one piece after the
    /// other, and learners take turns at it. With two exams it does not have to wait for recordings.
    private static let hearers = 2

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    let name = "\(services.settings.node)/\(number + 1)"
                    group.addTask {
                        await services.work(on: "jobs") { () async throws(StoreError) in try await workOnce(name) }
                    }
                }
                // A node without workers evaluates nothing, and hears nothing.
                let hearers = count == 0 || services.panel.recognisers.isEmpty ? 0 : Self.hearers
                for number in 0..<hearers {
                    let name = "\(services.settings.node)/hearer \(number + 1)"
                    group.addTask {
                        await services.work(on: "hearing") { () async throws(StoreError) in try await hearOnce(name) }
                    }
                }
                // A service that returns ends all others, and a node may have no workers.
                if count == 0 { group.addTask { try? await gracefulShutdown() } }
            }
        }
    }

    /// Does the next job.
    ///
    /// - Returns: false if no job is waiting.
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

    /// Hears the answers of the next exam in progress.
    ///
    /// - Returns: false if no answer is waiting.
    func hearOnce(_ name: String) async throws(StoreError) -> Bool {
        let service = services.store.service
        let claimed = try await service.claim(
            .hear, worker: name, assessor: services.panel.version, seconds: lease)
        guard let job = claimed else { return false }
        do {
            try await KeptLease(job: job, store: service, seconds: lease, renewals: renewals).during {
                try await Evaluation(services: services, job: job).hear()
            }
            _ = try await service.heard(job)
        } catch is LostLease {
            services.logger.info("a job is another worker's now", metadata: ["session": "\(job.session.name)"])
        } catch {
            guard job.isLast, !Task.isCancelled else {
                await end(job, error)
                return true
            }
            // The evaluation hears the rest, so there is nothing for an operator to do.
            services.logger.warning(
                "an exam is not heard while it goes on",
                metadata: ["session": "\(job.session.name)", "what": "\(type(of: error))"])
            _ = try? await service.heard(job)
        }
        return true
    }

    /// Returns the message for the session's owner, without paths and addresses of this server.
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
        // Log only the kind of error, never its message about a recording's contents.
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

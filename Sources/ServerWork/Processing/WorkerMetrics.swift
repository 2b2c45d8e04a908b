import Assessment
import Assessors
package import ExamNode
package import ExamStore

/// The queue's state, as last reported by the store.
package struct WorkerMetrics: Sendable {
    package var jobs: JobStats
    /// Jobs that were given up, by kind.
    package var dead: [JobKind: Int]
    /// Events that wait for delivery by webhook.
    package var events: Int
    /// The waiting sound by the assessors' ids.
    package var audio: [String: WaitingAudio]

    /// Reads the state from the store.
    package init(of services: Services) async throws(StoreError) {
        let service = services.store.service
        jobs = try await service.jobStats()
        dead = try await service.deadJobCounts()
        events = try await service.waitingEvents()
        audio = [:]
        for seat in services.panel.seats {
            let source = seat.assessor.source
            audio[source.id] = try await service.waitingAudio(for: SaidOfAnswers.finder(source))
        }
    }

    /// Sets the metrics.
    ///
    /// - Parameter told: nil if the store does not answer. Unknown values are left out.
    package static func set(_ told: WorkerMetrics?, in metrics: ServerMetrics) {
        metrics.set(.storeUp, told == nil ? 0 : 1)
        for name in [ServerMetrics.Name.jobs, .deadJobs, .oldestJob, .waitingAudio, .oldestWaiting, .waitingWebhooks] {
            metrics.clear(name)
        }
        guard let told else { return }
        metrics.set(.waitingWebhooks, Double(told.events))
        for (assessor, waiting) in told.audio {
            metrics.set(.waitingAudio, waiting.seconds / 60, label: "assessor=\"\(assessor)\"")
            metrics.set(.oldestWaiting, max(0, waiting.oldestAge ?? 0), label: "assessor=\"\(assessor)\"")
        }
        for (kind, count) in told.dead { metrics.set(.deadJobs, Double(count), label: "kind=\"\(kind.rawValue)\"") }
        let stats = told.jobs
        let counts = [
            ("pending", stats.pending), ("processing", stats.processing), ("failed", stats.failed),
            ("completed", stats.completed), ("dead", stats.dead),
        ]
        for (status, count) in counts { metrics.set(.jobs, Double(count), label: "status=\"\(status)\"") }
        metrics.set(.oldestJob, stats.oldestAge ?? 0)
    }
}

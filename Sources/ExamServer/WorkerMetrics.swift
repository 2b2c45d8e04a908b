import ExamStore

/// The queue's state, asked when somebody looks.
enum WorkerMetrics {
    static func refresh(_ services: Services) async throws {
        let stats = try await services.store.service.jobStats()
        let counts = [
            ("pending", stats.pending), ("processing", stats.processing), ("failed", stats.failed),
            ("completed", stats.completed), ("dead", stats.dead),
        ]
        for (status, count) in counts { services.metrics.set(.jobs, Double(count), label: "status=\"\(status)\"") }
        services.metrics.set(.oldestJob, stats.oldestAge ?? 0)
    }
}

import ExamStore

/// The queue's state, as the store told it last.
enum WorkerMetrics {
    /// - Parameter stats: nil where the store does not answer: what is not known is not said.
    static func set(_ stats: JobStats?, in metrics: ServerMetrics) {
        metrics.set(.storeUp, stats == nil ? 0 : 1)
        guard let stats else {
            metrics.clear(.jobs)
            metrics.clear(.oldestJob)
            return
        }
        let counts = [
            ("pending", stats.pending), ("processing", stats.processing), ("failed", stats.failed),
            ("completed", stats.completed), ("dead", stats.dead),
        ]
        for (status, count) in counts { metrics.set(.jobs, Double(count), label: "status=\"\(status)\"") }
        metrics.set(.oldestJob, stats.oldestAge ?? 0)
    }
}

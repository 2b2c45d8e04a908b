/// The queues' state, asked when somebody looks.
enum WorkerMetrics {
    static func refresh(_ services: Services) async throws {}
}

import Logging
import ServiceLifecycle

/// Lets the exams under way go on for a while when the server is told to stop, before anything else of it stops.
///
/// Runs beside the application, as the last of its group: that one is told first, and the others when it has returned. Meanwhile `/ready`
/// answers 503, no exam begins, and an exam without a connected client is put on disk, so that another node can take it over. What is still held
/// at the end is saved, as without draining.
struct Draining: Service {
    let exams: LiveExams
    /// How long at most.
    let time: Duration

    func run() async throws {
        try await gracefulShutdown()
        guard time > .zero else { return }
        let (registry, logger) = (exams.registry, exams.services.logger)
        registry.drain()
        exams.services.metrics.set(.draining, 1)
        logger.info("draining", metadata: ["exams": "\(registry.all.count)", "seconds": "\(time.components.seconds)"])
        let end = ContinuousClock.now + time
        while !registry.isEmpty, ContinuousClock.now < end {
            for exam in registry.all where !exam.isAttended { exam.stop() }
            try await Task.sleep(for: exams.times.tick)
        }
        logger.info("drained", metadata: ["exams": "\(registry.all.count)"])
    }
}

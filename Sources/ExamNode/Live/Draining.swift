import Logging
import ServiceLifecycle

/// Lets exams in progress continue for a while when the server is told to stop, before its other parts stop.
///
/// It runs alongside the application as the last service of its group, which is stopped first. The others are stopped
/// when it has returned. Meanwhile `/ready` answers 503, no exam begins, and an exam without a connected client is
/// saved to disk, so that another node can take it over. Exams still running at the end are saved, as without draining.
package struct Draining: Service {
    package let exams: LiveExams
    /// The maximum time.
    package let time: Duration

    package init(exams: LiveExams, time: Duration) {
        self.exams = exams
        self.time = time
    }

    package func run() async throws {
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

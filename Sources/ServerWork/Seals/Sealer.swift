import ExamNode
import ExamStore
import Foundation
import Logging
import ServiceLifecycle
import SystemSupport

/// Seals finished exams that no other step sealed: a node died between the end and the seal, answers arrived late or
/// never, or the exam is older than seals. It may run on any number of nodes.
struct Sealer: Service {
    let services: Services
    /// The time between two checks.
    var interval = Duration.seconds(60)

    /// The most sessions to fetch from the list at once.
    private static let atOnce = 100

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await sealAll()
                try await Task.sleep(for: interval)
            }
        }
    }

    /// Checks once. Sessions that cannot be sealed now are checked again the next time.
    ///
    /// - Parameter patience: seconds after an exam's end during which answers may still arrive; nil for the store's
    ///   default.
    /// - Returns: the number of sessions that this call sealed.
    @discardableResult func sealAll(patience: Double? = nil) async -> Int {
        var count = 0
        while let due = try? await services.store.service.sessionsToSeal(limit: Self.atOnce, patience: patience),
            !due.isEmpty, !Task.isCancelled
        {
            let before = count
            for session in due where await services.seal(session, patience: patience) { count += 1 }
            guard count > before else { break }
        }
        return count
    }
}

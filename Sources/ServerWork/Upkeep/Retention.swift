import ExamNode
import ExamStore
import Foundation
import Logging
import ServiceLifecycle
import SystemSupport

/// Erases sessions by age, in the same way as at their users' request: rows, recordings and findings. It may run on any
/// number of nodes.
struct Retention: Service {
    let services: Services
    let exams: LiveExams
    /// The days for which a session is kept after its end, or after its beginning if it never ended.
    let days: Int
    /// The time between two checks.
    var interval = Duration.seconds(3_600)

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await erase()
                try await Task.sleep(for: interval)
            }
        }
    }

    /// Erases the expired sessions once. Sessions that cannot be erased now are tried again the next time. The log
    /// contains their number, and the operator's audit log contains each session, as for every erasure.
    ///
    /// - Returns: the number of erased sessions.
    @discardableResult func erase(at now: WallTime = .now) async -> Int {
        let moment = WallTime(secondsSince1970: now.secondsSince1970 - days * 86_400).utc
        var count = 0
        while let old = try? await services.store.service.sessions(overBefore: moment, limit: 100), !old.isEmpty {
            let before = count
            for (session, user) in old {
                // The row is erased before the sound. If storage is unavailable, the Sweeper erases the sound later.
                let erasing = Erasing(services: services, exams: exams)
                if (try? await erasing.erase(session, of: user, by: "retention")) == true { count += 1 }
            }
            guard count > before else { break }
        }
        if count > 0 { services.logger.info("erased \(count) sessions older than \(days) days") }
        return count
    }
}

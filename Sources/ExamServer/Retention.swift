import ExamStore
import Foundation
import Logging
import ServiceLifecycle
import SystemSupport

/// Erases sessions by age, as if their users had asked for it: rows, recordings, what was found in them; on any number of nodes.
struct Retention: Service {
    let services: Services
    let exams: LiveExams
    /// Days that a session is kept after its end; after its beginning, where nobody ended it.
    let days: Int
    /// Between two looks.
    var interval = Duration.seconds(3_600)

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await erase()
                try await Task.sleep(for: interval)
            }
        }
    }

    /// Looks once. What cannot be erased is looked at again the next time. The log has their number; which they were, the audit log of whoever
    /// runs the server has as for any erasure.
    ///
    /// - Returns: how many sessions went.
    @discardableResult func erase(at now: WallTime = .now) async -> Int {
        let moment = WallTime(secondsSince1970: now.secondsSince1970 - days * 86_400).utc
        var count = 0
        while let old = try? await services.store.service.sessions(overBefore: moment, limit: 100), !old.isEmpty {
            let before = count
            for (session, user) in old {
                // Its row goes before its sound: where storage is away, the Sweeper fetches it when it is back.
                let erasing = Erasing(services: services, exams: exams)
                if (try? await erasing.erase(session, of: user, by: "retention")) != nil { count += 1 }
            }
            guard count > before else { break }
        }
        if count > 0 { services.logger.info("erased \(count) sessions older than \(days) days") }
        return count
    }
}

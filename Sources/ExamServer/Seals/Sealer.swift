import ExamStore
import Foundation
import Logging
import ServiceLifecycle
import SystemSupport

/// Seals exams that are over, on any number of nodes: those whose node died between the end and the seal, those whose answers came late or
/// not at all, and those from before there were seals.
struct Sealer: Service {
    let services: Services
    /// Between two looks.
    var interval = Duration.seconds(60)

    /// How many are sealed between two looks at the list.
    private static let atOnce = 100

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await sealAll()
                try await Task.sleep(for: interval)
            }
        }
    }

    /// Looks once. What cannot be sealed now is looked at again the next time.
    ///
    /// - Parameter patience: seconds after its end in which answers may still come; nil: the store's own.
    /// - Returns: how many are sealed now.
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

extension Services {
    /// Seals a session that is over, if it is whole; otherwise the `Sealer` of any node does it later.
    ///
    /// - Returns: whether it was sealed just now.
    @discardableResult func seal(_ session: UUID, patience: Double? = nil) async -> Bool {
        do throws(StoreError) {
            guard
                case .sealed(let hash) = try await store.service.seal(
                    session, assessor: panel.version, patience: patience)
            else { return false }
            note(.sealed, session, ["seal": "\(hash)"])
            return true
        } catch {
            logger.warning("seal", metadata: ["session": "\(session.name)", "what": "\(error.message)"])
            return false
        }
    }
}

import ExamKit
import ExamStore
import Foundation
import Logging
import UploadQueue

extension LiveExams {
    /// Closes the sessions that nobody came back to in time: what was answered gets its results, and nobody waits for the rest.
    ///
    /// Any node does it, wherever they were sat; the same is written however many do.
    func closeAbandoned() async throws(StoreError) {
        let store = services.store
        let age = Int(settings.limits.patience.components.seconds)
        let latest = WallTime(secondsSince1970: WallTime.now.secondsSince1970 - age)
        for (session, user) in try await store.service.abandonedExams(startedBefore: latest.utc, limit: 100) {
            let owned = services.owned(by: user).heldHere
            _ = try await owned.complete(
                session,
                Completion(
                    id: DeliveryID.make("completion", of: session), completedAt: WallTime.now.utc, outcome: nil,
                    answers: owned.responses(of: session).count))
            services.logger.info("abandoned", metadata: ["session": "\(session.name)"])
        }
    }

    /// Goes on with the exams that were over here, and whose answers were not all encoded when this node stopped or died: whoever sat there
    /// was told that they are over, and does not come back.
    func closeFinished() async throws(StoreError) {
        for folder in SessionShelf(path: settings.folder + "/exams").folders() {
            guard let session = UUID(uuidString: folder.name), !leases.isForExam(session),
                case .resumable(.storing) = SessionSummary(folder).state,
                let owner = try await services.store.service.owner(of: session)
            else { continue }
            do {
                _ = try await registry.exam(session, of: owner, on: nil)
                services.logger.info("concluded", metadata: ["session": "\(session.name)"])
            } catch {
                // Another node's, or too old; or storage is away: then the next time.
                services.logger.warning(
                    "left", metadata: ["session": "\(session.name)", "what": "\(Self.sentence(error))"])
            }
        }
    }

    /// Clears away what this node need not keep: exams that were erased, and those that are over and have arrived.
    ///
    /// What could not be delivered stays: it may be the only one of its kind.
    func clearAway() async throws(StoreError) {
        let folders = SessionShelf(path: settings.folder + "/exams").folders()
        guard !folders.isEmpty else { return }
        let entries = (try? queue.entries()) ?? []
        for session in folders.compactMap({ UUID(uuidString: $0.name) }) where !leases.isForExam(session) {
            guard let facts = try await services.store.service.session(session) else {
                registry.forget(session)
                continue
            }
            let own = entries.filter { $0.upload?.session.id == session }
            if facts.status != .inProgress && own.allSatisfy({ $0.state == .delivered }) { registry.forget(session) }
        }
    }
}

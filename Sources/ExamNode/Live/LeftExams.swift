import ExamCore
import ExamStore
import Foundation
import Logging
import SessionFolders
import SystemSupport
import UploadQueue

extension LiveExams {
    /// Closes sessions to which the candidate did not return in time, so that the answers get their results.
    ///
    /// Any node does this for all sessions. The result is the same if several do.
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

    /// Continues exams that were over here but whose answers were not all encoded when this node stopped or died. Their
    /// candidates know that the exam is over and do not return.
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
                // Another node has it, it is too old, or storage is unavailable. The next round tries again.
                services.logger.warning(
                    "left", metadata: ["session": "\(session.name)", "what": "\(Self.sentence(error))"])
            }
        }
    }

    /// Removes data that this node need not keep: exams that were erased, and finished exams that are stored.
    ///
    /// Undelivered data stays, because it may be the only copy.
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

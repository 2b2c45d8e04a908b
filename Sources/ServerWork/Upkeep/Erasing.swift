package import ExamNode
import ExamStore
package import Foundation
import RecordingStores

/// Erases a session permanently: its rows, its recordings and this node's files.
package struct Erasing {
    private let services: Services
    /// This node's exams. Nil in a process without exams. Other nodes notice an erasure when they renew their leases.
    private let exams: LiveExams?

    package init(services: Services, exams: LiveExams?) {
        (self.services, self.exams) = (services, exams)
    }

    /// Erases the rows first, so that requests no longer find the session, and records the remaining work in the same
    /// step. If this node is killed before it is done, the `Sweeper` of any node finishes it.
    ///
    /// - Parameter who: for the exam's seal: `owner`, `operator` or `retention`.
    /// - Returns: false if the user has no such session.
    /// - Throws: `StoreError`, `AudioStoreError`. If the recordings cannot be removed now, they are removed when their
    ///   storage is available again.
    @discardableResult
    package func erase(_ session: UUID, of user: UUID, by who: String = "owner") async throws -> Bool {
        guard try await services.owned(by: user).erase(session: session, by: who) else { return false }
        services.note(.erased, session)
        exams?.erased(session)
        try await services.audio.removeAll(of: session, user: user)
        return true
    }
}

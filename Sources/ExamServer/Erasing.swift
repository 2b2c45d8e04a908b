import ExamNode
import ExamStore
import Foundation

/// Erases a session permanently: its rows, its recordings and this node's files.
struct Erasing {
    let services: Services
    /// This node's exams. Nil in a process without exams. Other nodes notice an erasure when they renew their leases.
    let exams: LiveExams?

    /// Erases the rows first, so that requests no longer find the session, and records the remaining work in the same
    /// step. If this node is killed before it is done, the `Sweeper` of any node finishes it.
    ///
    /// - Parameter who: for the exam's seal: `owner`, `operator` or `retention`.
    /// - Throws: `APIProblem`: 404 if the user has no such session; 503 if the storage is unavailable. The recordings
    ///   are then removed when it is back.
    func erase(_ session: UUID, of user: UUID, by who: String = "owner") async throws {
        guard try await services.owned(by: user).erase(session: session, by: who) else {
            throw APIProblem.missing("session")
        }
        services.note(.erased, session)
        exams?.erased(session)
        try await services.audio.removeAll(of: session, user: user)
    }
}

import ExamStore
import Foundation

/// Erases a session for good: rows, recordings, and what this node has of it.
struct Erasing {
    let services: Services
    /// This node's; nil: the process holds none, and those that do find out when they renew their leases.
    let exams: LiveExams?

    /// Rows go first, so nobody finds it from then on; what is left to be done is noted with it, and a node that is killed meanwhile
    /// leaves it to the `Sweeper` of any other.
    ///
    /// - Parameter who: for the exam's seal: `owner`, `operator` or `retention`.
    /// - Throws: `APIProblem`: 404 where the user has no such session; 503 where the recordings' storage is away: they go when it
    ///   is back.
    func erase(_ session: UUID, of user: UUID, by who: String = "owner") async throws {
        guard try await services.owned(by: user).erase(session: session, by: who) else {
            throw APIProblem.missing("session")
        }
        services.note(.erased, session)
        exams?.erased(session)
        try await services.audio.removeAll(of: session, user: user)
    }
}

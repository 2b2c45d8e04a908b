import ExamStore
import Foundation

/// Erases a session for good: rows, recordings, and what this node has of it.
struct Erasure {
    let services: Services
    let exams: LiveExams

    /// Rows go first, so nobody finds it from then on. A node that is killed before it has removed the recordings leaves them behind,
    /// under keys that nothing names any more.
    ///
    /// - Throws: `APIProblem`: 404 where the user has no such session.
    func erase(_ session: UUID, of user: UUID) async throws {
        guard let keys = try await services.store.owned(by: user).erase(session: session) else {
            throw APIProblem.missing("session")
        }
        exams.erased(session)
        for key in keys.compactMap(AudioKey.init) { try await services.audio.remove(key) }
    }
}

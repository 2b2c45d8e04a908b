import ExamStore
import Foundation
import Glibc
import UploadQueue

/// Erases a session for good: rows, recordings, and what this node has of it.
struct Erasure {
    let services: Services

    init(_ services: Services) {
        self.services = services
    }

    /// Rows go first: what a kill leaves after that are objects that nothing names, which `sweep` finds.
    ///
    /// - Throws: `APIProblem`: 404 where the user has no such session.
    func erase(_ session: UUID, of user: UUID) async throws {
        guard let keys = try await services.store.owned(by: user).erase(session: session) else {
            throw APIProblem.missing("session")
        }
        for key in keys.compactMap(AudioKey.init) { try await services.audio.remove(key) }
    }
}

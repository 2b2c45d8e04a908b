import ExamStore
import Foundation
import HTTPTypes

extension Services {
    /// Whether a user may store more bytes: asked before they are read.
    ///
    /// - Throws: `APIProblem`: 413 where these are too many at once, 403 `quota` where all of them are.
    func admit(bytes: Int, for user: UUID) async throws {
        guard bytes <= settings.limits.recordingBytes else { throw APIProblem.tooLarge(settings.limits.recordingBytes) }
        let used = try await store.owned(by: user).usage().bytes
        guard used + bytes <= settings.limits.storedBytes else {
            throw APIProblem(
                .forbidden, "quota", "No room left",
                "You store \(used >> 20) MB of \(settings.limits.storedBytes >> 20) MB: erase a session first.")
        }
    }
}

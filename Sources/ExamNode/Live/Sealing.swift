import ExamStore
package import Foundation
import Logging
import SystemSupport

extension Services {
    /// Seals a finished session if it is complete. Otherwise the `Sealer` of any node seals it later.
    ///
    /// - Returns: whether this call sealed it.
    @discardableResult package func seal(_ session: UUID, patience: Double? = nil) async -> Bool {
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

package import Foundation
package import RecordingStores
import UploadQueue

extension AudioKey {
    /// Returns an id that replaces the session's in keys of a user's profile.
    package static func profile(of user: UUID) -> UUID { DeliveryID.make("profile", of: user) }
}

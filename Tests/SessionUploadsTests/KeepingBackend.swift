import Synchronization
import UploadQueue

/// A backend in memory that keeps each upload once, in the order in which they arrive.
final class KeepingBackend: Uploader {
    let place = "a backend in memory"
    private let kept = Mutex<[Upload]>([])

    func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
        kept.withLock { kept in
            if !kept.contains(where: { $0.id == upload.id }) { kept.append(upload) }
        }
        courier.sent(upload.file?.byteCount ?? 0)
    }

    /// The uploads that have arrived.
    var effects: [Upload] { kept.withLock { $0 } }
}

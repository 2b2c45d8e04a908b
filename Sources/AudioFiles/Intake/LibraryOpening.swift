import CSndFile
import Glibc

/// Opening with libsndfile, which keeps the reason of the last failure in one place for the whole process.
///
/// So files are opened in parallel, and an opening that failed is repeated alone: then the reason is its own.
enum LibraryOpening {
    struct Refusal: Error {
        /// As `sf_error` has it.
        let code: Int
        let words: String
    }

    nonisolated(unsafe) private static let lock: UnsafeMutablePointer<pthread_rwlock_t> = {
        let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        pthread_rwlock_init(lock, nil)
        return lock
    }()

    /// - Parameter attempt: may be called twice.
    static func open(_ attempt: () -> OpaquePointer?) throws(Refusal) -> OpaquePointer {
        if let handle = beside(attempt) { return handle }
        pthread_rwlock_wrlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        if let handle = attempt() { return handle }
        throw Refusal(code: Int(sf_error(nil)), words: String(cString: sf_strerror(nil)).trimmed)
    }

    /// The same without the reason, once.
    static func beside(_ attempt: () -> OpaquePointer?) -> OpaquePointer? {
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return attempt()
    }
}

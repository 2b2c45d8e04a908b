import CSndFile
import Glibc

/// Opens files with libsndfile, which keeps the reason of the last failure in one place for the whole process.
///
/// Files are opened in parallel. A failed attempt is repeated while no other runs, so that the reason is its own.
enum LibraryOpening {
    struct Refusal: Error {
        /// The code of `sf_error`.
        let code: Int
        let words: String
    }

    nonisolated(unsafe) private static let lock: UnsafeMutablePointer<pthread_rwlock_t> = {
        let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        pthread_rwlock_init(lock, nil)
        return lock
    }()

    /// Opens a file.
    ///
    /// - Parameter attempt: may be called twice.
    static func open(_ attempt: () -> OpaquePointer?) throws(Refusal) -> OpaquePointer {
        if let handle = beside(attempt) { return handle }
        pthread_rwlock_wrlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        if let handle = attempt() { return handle }
        throw Refusal(code: Int(sf_error(nil)), words: String(cString: sf_strerror(nil)).trimmed)
    }

    /// Tries once to open a file, in parallel with others and without a reason for failure.
    static func beside(_ attempt: () -> OpaquePointer?) -> OpaquePointer? {
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return attempt()
    }
}

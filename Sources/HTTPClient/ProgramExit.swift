import Glibc
import Synchronization

/// Keeps the clients' threads out of libcurl when the program exits.
///
/// `exit` shuts OpenSSL down while threads may be using it: of thirty programs that ended during exchanges, three
/// crashed with SIGSEGV. So `exit` first waits until no thread is inside libcurl, and then lets none in.
enum ProgramExit {
    private nonisolated(unsafe) static let lock: UnsafeMutablePointer<pthread_rwlock_t> = {
        let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        pthread_rwlock_init(lock, nil)
        return lock
    }()

    /// Needed besides the lock, which prefers threads that leave and return at once.
    private static let hasBegun = Atomic(false)

    /// Registers the handler. Called after libcurl's initialisation, since the handler registered last runs first.
    static func watch() {
        _ = lock
        atexit {
            ProgramExit.hasBegun.store(true, ordering: .sequentiallyConsistent)
            // At most a second: `exit` may have been called inside, by a function that receives progress.
            var end = timespec()
            clock_gettime(CLOCK_REALTIME, &end)
            end.tv_sec += 1
            pthread_rwlock_timedwrlock(ProgramExit.lock, &end)
        }
    }

    /// Runs work with libcurl. If the program is exiting, waits forever instead.
    static func guarding<Answer>(_ work: () -> Answer) -> Answer {
        while hasBegun.load(ordering: .sequentiallyConsistent) { pause() }
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return work()
    }
}

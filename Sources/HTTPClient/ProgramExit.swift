import Glibc
import Synchronization

/// Keeps clients' threads out of libcurl when the program exits.
///
/// OpenSSL is taken down by `exit`, whatever threads are doing with it: of thirty programs that ended in the middle of
/// exchanges three ended with SIGSEGV instead. So `exit` first waits until no thread is inside, and then lets none in any more.
enum ProgramExit {
    private nonisolated(unsafe) static let lock: UnsafeMutablePointer<pthread_rwlock_t> = {
        let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        pthread_rwlock_init(lock, nil)
        return lock
    }()

    /// The lock alone would not do: it prefers those who are inside and come again at once.
    private static let hasBegun = Atomic(false)

    /// After libcurl's own beginning: what is registered last is called first.
    static func watch() {
        _ = lock
        atexit {
            ProgramExit.hasBegun.store(true, ordering: .sequentiallyConsistent)
            // No longer than a second: `exit` may have been called inside, by who was told what has been sent.
            var end = timespec()
            clock_gettime(CLOCK_REALTIME, &end)
            end.tv_sec += 1
            pthread_rwlock_timedwrlock(ProgramExit.lock, &end)
        }
    }

    /// Does something with libcurl; when the program exits, it waits for ever instead.
    static func guarding<Answer>(_ work: () -> Answer) -> Answer {
        while hasBegun.load(ordering: .sequentiallyConsistent) { pause() }
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return work()
    }
}

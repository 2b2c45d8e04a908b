import Glibc
import SystemSupport

/// A lock on a session that this process uses for another purpose than its exam, so that no other program resumes it
/// meanwhile.
struct SessionLock {
    /// The log's descriptor; −1 if the session has no log and so can't be locked.
    private let log: Int32

    /// - Parameter kind: `LOCK_EX` for exclusive, `LOCK_SH` for shared use.
    /// - Throws: `Problem.occupied`.
    init(_ folder: SessionFolder, _ kind: Int32) throws(Problem) {
        log = open(folder.log, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard log >= 0, !SessionLog.lock(log, kind) else { return }
        close(log)
        throw SessionLog.inUse(folder.log)
    }

    func end() {
        if log >= 0 { FileLock.end(log) }
    }
}

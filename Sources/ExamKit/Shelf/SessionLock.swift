import Glibc
import SystemSupport

/// A session that this process has for another purpose than its exam, so that nobody goes on with it meanwhile.
struct SessionLock {
    /// −1: it has no log, and nobody can lock it.
    private let log: Int32

    /// - Parameter kind: `LOCK_EX`: alone; `LOCK_SH`: with others of the kind.
    /// - Throws: `Problem.occupied`.
    init(_ folder: SessionFolder, _ kind: Int32) throws(Problem) {
        log = open(folder.log, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard log >= 0, !SessionLog.lock(log, kind) else { return }
        close(log)
        throw SessionLog.inUse(folder.log)
    }

    func end() {
        if log >= 0 { close(log) }
    }
}

import Glibc
import SystemSupport

/// A session held by this process for another purpose than its exam: so that it is not gone on with meanwhile.
struct SessionHold {
    /// −1: it has no log, and nobody can hold it.
    private let log: Int32

    /// - Parameter kind: `LOCK_EX`: alone; `LOCK_SH`: with others of the kind.
    /// - Throws: `Problem.occupied`.
    init(_ folder: SessionFolder, _ kind: Int32) throws(Problem) {
        log = open(folder.log, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard log >= 0, !SessionLog.lock(log, kind) else { return }
        close(log)
        throw SessionLog.held(folder.log)
    }

    func end() {
        if log >= 0 { close(log) }
    }
}

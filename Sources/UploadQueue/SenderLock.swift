import Glibc
import SystemSupport

/// The exclusive right to send a queue's uploads. The system releases it when the process ends in any way.
final class SenderLock: Sendable {
    private let file: Int32

    /// - Throws: `Problem`: `occupied` if another process is sending; `unwritable`.
    init(folder: String) throws(Problem) {
        let path = folder + "/sending.lock"
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PrivateFile.unwritable(path) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw Problem(.occupied, "\(folder): another program is sending its uploads; end it and try again")
        }
    }

    deinit { FileLock.end(file) }
}

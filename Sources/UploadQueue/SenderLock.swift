import Glibc
import SystemSupport

/// The right to send a queue's uploads: one process at a time has it. The system takes it back when that process ends, however it
/// ends.
final class SenderLock: Sendable {
    private let file: Int32

    /// - Throws: `Problem`: `occupied` where another process sends; `unwritable`.
    init(folder: String) throws(Problem) {
        let path = folder + "/sending.lock"
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PrivateFile.unwritable(path) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw Problem(.occupied, "\(folder): another program is sending its uploads")
        }
    }

    deinit { close(file) }
}

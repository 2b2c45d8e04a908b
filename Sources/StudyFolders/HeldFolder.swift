import Glibc
import SystemSupport

/// A lock on a folder, held while a small file in it is changed. Meanwhile, the user's other windows wait.
struct HeldFolder {
    private let folder: Int32

    /// Waits for the lock. Creates the folder if it is missing.
    ///
    /// - Throws: `Problem.unwritable`.
    init(_ path: String) throws(Problem) {
        try PrivateFile.createFolder(path)
        folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw PrivateFile.unwritable(path) }
        guard flock(folder, LOCK_EX) == 0 else {
            close(folder)
            throw PrivateFile.unwritable(path)
        }
    }

    /// Releases the lock.
    func release() { FileLock.end(folder) }
}

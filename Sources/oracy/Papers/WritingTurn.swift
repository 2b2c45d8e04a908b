import Glibc
import SystemSupport

/// The exclusive right to have a model write something. Two commands at a time would overwrite each other's state.
enum WritingTurn {
    /// Takes the lock. The system releases it when the process ends in any way, so the file is never closed here.
    ///
    /// - Throws: `Problem`: `occupied` if another process has it; `unwritable`.
    static func take() throws(Problem) {
        try PrivateFile.createFolder(UserFolders.data)
        let path = UserFolders.data + "/bank-writing.lock"
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PrivateFile.unwritable(path) }
        if flock(file, LOCK_EX | LOCK_NB) == 0 { return }
        close(file)
        throw Problem(
            .occupied, "another oracy command is using the model; wait until it is done, or stop it")
    }
}

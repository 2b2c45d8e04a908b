import ExamKit
import Glibc
import SystemSupport

/// The right to have something written by a model: two commands at a time would write over each other's state.
enum WritingTurn {
    /// The system takes it back when the process ends, however it ends; so the file is never closed here.
    ///
    /// - Throws: `Problem`: `occupied` where another process has it; `unwritable`.
    static func take() throws(Problem) {
        try PrivateFile.createFolder(UserFolders.data)
        let path = UserFolders.data + "/bank-writing.lock"
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PrivateFile.unwritable(path) }
        if flock(file, LOCK_EX | LOCK_NB) == 0 { return }
        close(file)
        throw Problem(
            .occupied, "another oracy command has a model write just now; wait until it is done, or stop it")
    }
}

import Glibc

/// The end of a lock that `flock` has put on a file or a folder.
package enum FileLock {
    /// Unlocks a file, and closes it.
    ///
    /// Closing alone may not unlock it. If another thread starts a program at this moment, the new process has copies
    /// of all descriptors until it becomes that program, and a copy keeps the lock. On a busy machine this took so long
    /// that the next one found the file locked.
    package static func end(_ file: Int32) {
        flock(file, LOCK_UN)
        close(file)
    }
}

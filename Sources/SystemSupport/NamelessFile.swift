import Glibc

/// An unlinked temporary file: private, and gone when it is closed.
package enum NamelessFile {
    /// The folder in `TMPDIR`, or `/tmp`.
    package static var folder: String {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return folder.isEmpty ? "/tmp" : folder
    }

    /// Opens a file without a name that only its owner can use. It disappears when its descriptor is closed, even if
    /// the process is killed.
    ///
    /// - Returns: A descriptor for reading and writing, which the caller has to close; -1 with `errno` set on failure.
    package static func open(in folder: String = folder) -> Int32 {
        var path = Array("\(folder)/oracy-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { return -1 }
        unlink(path)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        return file
    }
}

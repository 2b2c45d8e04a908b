import Glibc

/// Room on the disk for what nobody else may read, and nothing is to be left of.
package enum NamelessFile {
    /// Where `TMPDIR` says, or `/tmp`.
    package static var folder: String {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return folder.isEmpty ? "/tmp" : folder
    }

    /// A file without a name, for its owner alone: it is gone with its descriptor, whatever becomes of the process.
    ///
    /// - Returns: its descriptor, open for reading and writing, and for the caller to close; -1 with `errno` set where there is none.
    package static func open(in folder: String = folder) -> Int32 {
        var path = Array("\(folder)/oracy-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { return -1 }
        unlink(path)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        return file
    }
}

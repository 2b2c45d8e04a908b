import Glibc

/// Files and folders that only their owner can read. All data of a candidate is in such files.
package enum PrivateFile {
    /// Creates a folder and its parents. Does nothing if it exists.
    package static func createFolder(_ path: String, mode: UInt32 = 0o700) throws(Problem) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += part
            if mkdir(made, mode) != 0 && errno != EEXIST { throw unwritable(made) }
            made += "/"
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw Problem(.occupied, "\(path): is not a folder")
        }
    }

    /// Replaces a file atomically: at every moment either the old or the new content is there, complete and on disk.
    ///
    /// - Parameters:
    ///   - part: The path of the new content until it is complete. If several processes may write, each needs its own.
    ///   - mode: 0o666 for data that isn't secret; the user's umask still applies.
    ///   - durably: Whether to wait until the file is on disk. If false, a power cut may leave it empty.
    package static func replace(
        _ path: String, with bytes: [UInt8], part: String? = nil, mode: UInt32 = 0o600, durably: Bool = true
    ) throws(Problem) {
        let part = part ?? path + ".part"
        let file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard file >= 0 else { throw unwritable(path) }
        let written = writeAll(bytes, to: file) && (!durably || fsync(file) == 0)
        let error = errno
        close(file)
        guard written, rename(part, path) == 0 else {
            if !written { errno = error }
            let problem = unwritable(path)
            unlink(part)
            throw problem
        }
        if durably { syncFolder(of: path) }
    }

    /// Moves a finished file to its place, durably.
    package static func move(_ part: String, to path: String) throws(Problem) {
        guard rename(part, path) == 0 else { throw unwritable(path) }
        syncFolder(of: path)
    }

    /// Waits until all of a file, or all names in a folder, are on disk.
    package static func synchronize(_ path: String) throws(Problem) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unwritable(path) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw unwritable(path) }
    }

    /// Waits until all names in a folder and in its parents are on disk. After a power cut, a file is found only if its
    /// whole path is on disk too. Call this even for existing folders: the process that made them may have been killed
    /// before it synced them.
    ///
    /// Goes up as long as the folders belong to this user and are on the same disk. The folders above those existed
    /// before.
    package static func anchor(_ folder: String) throws(Problem) {
        try synchronize(folder)
        var (below, above) = (stat(), stat())
        var folder = folder
        while stat(folder, &below) == 0, folder.folder != folder, stat(folder.folder, &above) == 0,
            above.st_dev == below.st_dev, above.st_uid == geteuid()
        {
            folder = folder.folder
            try synchronize(folder)
        }
    }

    /// Writes all bytes. Returns false with `errno` set on failure.
    package static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = write(file, bytes.baseAddress! + offset, bytes.count - offset)
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { return false }
                offset += count
            }
            return true
        }
    }

    /// Reads the whole of a small file, such as a format, a paper or a log.
    package static func read(_ path: String) throws(Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        try forEachChunk(of: path) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Returns a file's length in bytes, and its SHA-256 as 64 hexadecimal digits.
    package static func digest(_ path: String) throws(Problem) -> (byteCount: Int, sha256: String) {
        var digest = SHA256()
        var count = 0
        try forEachChunk(of: path) {
            digest.update($0)
            count += $0.count
        }
        return (count, digest.hexadecimal())
    }

    package static func forEachChunk(of path: String, _ body: (UnsafeRawBufferPointer) -> Void) throws(Problem) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw missing(path) }
        defer { close(file) }
        let failed = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { chunk -> Int32? in
            while true {
                let count = Glibc.read(file, chunk.baseAddress, chunk.count)
                if count == 0 { return nil }
                if count < 0 && errno == EINTR { continue }
                if count < 0 { return errno }
                body(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            }
        }
        if let failed { throw Problem(.missing, "\(path): \(systemWords(failed))") }
    }

    private static func syncFolder(of path: String) {
        let folder = open(path.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    /// Makes a problem from `errno` for a file that could not be opened.
    package static func missing(_ path: String) -> Problem {
        Problem(.missing, "\(path): \(systemWords(errno))")
    }

    /// Makes a problem from `errno` for a file that could not be written.
    package static func unwritable(_ path: String) -> Problem {
        Problem(.unwritable, "\(path): \(systemWords(errno))")
    }
}

extension String {
    /// The folder of a path; `.` for a bare name.
    package var folder: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// Returns a path relative to a folder. An absolute path stays as it is.
    package func path(in folder: String) -> String {
        hasPrefix("/") ? self : folder + "/" + self
    }
}

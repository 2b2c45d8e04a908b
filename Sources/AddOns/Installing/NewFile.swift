import Glibc
import SystemSupport

/// A file that is written once, from beginning to end, and hashed meanwhile.
struct NewFile: ~Copyable {
    private let path: String
    private let file: Int32
    private var digest: SHA256
    private var byteCount: Int
    private var error: Int32?

    /// Creates a file, and its folder if necessary. Other users may read it: it contains nothing private.
    ///
    /// - Throws: `Problem.unwritable`.
    init(_ path: String) throws(Problem) {
        try PrivateFile.createFolder(path.folder, mode: 0o755)
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw PrivateFile.unwritable(path) }
        self.path = path
        self.file = file
        digest = SHA256()
        (byteCount, error) = (0, nil)
    }

    deinit { close(file) }

    /// Adds bytes. A failure is reported by `end`.
    mutating func add(_ bytes: [UInt8]) {
        guard error == nil else { return }
        bytes.withUnsafeBytes { digest.update($0) }
        byteCount += bytes.count
        if !PrivateFile.writeAll(bytes, to: file) { error = errno }
    }

    /// Waits until everything is on the disk.
    ///
    /// - Returns: the length and the SHA-256.
    /// - Throws: `Problem.unwritable`.
    mutating func end() throws(Problem) -> (byteCount: Int, sha256: String) {
        if error == nil && fsync(file) != 0 { error = errno }
        if let error { throw Problem(.unwritable, "\(path): \(systemWords(error))") }
        return (byteCount, digest.hexadecimal())
    }
}

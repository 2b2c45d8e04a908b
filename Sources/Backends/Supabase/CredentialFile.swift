import Foundation
import Glibc
public import SystemSupport

/// Credentials in a file that only its owner can read. All programs of a user share it.
public struct CredentialFile: CredentialStore {
    /// An absolute path.
    public let path: String
    /// The time to wait for another program's refresh. A refresh that hangs ends before that, by its own limit of 30 s.
    var lockTimeout = Duration.seconds(45)

    /// - Parameter path: An absolute path. Its folder is created when credentials are written. `path.lock` lies beside
    ///   it.
    public init(path: String) {
        self.path = path
    }

    /// - Throws: `Problem`: `malformed` if `write` didn't write the file; `missing` if it may not be read.
    public func read() throws(Problem) -> Credentials? {
        if access(path, F_OK) != 0 && errno == ENOENT { return nil }
        let bytes = try PrivateFile.read(path)
        guard let credentials = try? JSONDecoder().decodeForeign(Credentials.self, from: Data(bytes)) else {
            throw Problem(.malformed, "\(path): was not written by this program; sign in again")
        }
        return credentials
    }

    /// - Throws: `Problem.unwritable`. The old credentials are intact then.
    public func write(_ credentials: Credentials) throws(Problem) {
        guard let data = try? JSONEncoder().encode(credentials) else {
            throw Problem(.malformed, "\(path): these credentials cannot be stored in a file")
        }
        try PrivateFile.createFolder(folder)
        try PrivateFile.replace(path, with: Array(data), part: "\(path).\(getpid()).part")
    }

    /// - Throws: `Problem.unwritable`.
    public func remove() throws(Problem) {
        guard unlink(path) == 0 || errno == ENOENT else { throw PrivateFile.unwritable(path) }
    }

    /// Locks the store with `flock` on a file beside it, since the file itself is replaced. The system releases the
    /// lock if the program dies.
    public func lock() async throws(Problem) -> CredentialLock {
        try PrivateFile.createFolder(folder)
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw PrivateFile.unwritable(path + ".lock") }
        let end = ContinuousClock.now + lockTimeout
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            guard ContinuousClock.now < end, !Task.isCancelled else {
                close(lock)
                throw Problem(.occupied, "\(path): another program has been using it to sign in for \(lockTimeout)")
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return CredentialLock { FileLock.end(lock) }
    }

    private var folder: String { path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } }
}

import Glibc
public import SystemSupport

/// The exclusive right to a node's folder. Two processes in one folder would interfere with each other's exams. The
/// system releases the lock when the process ends, even if it is killed.
///
/// Take it before touching anything else in the folder, and keep it as long as the process uses the folder.
public final class FolderLock: Sendable {
    private let file: Int32

    /// Creates the folder if necessary, and locks it.
    ///
    /// - Throws: `Problem`: `occupied` with the process's number if another process holds it, `unwritable`.
    public init(folder: String) throws(Problem) {
        try PrivateFile.createFolder(folder)
        let path = folder + "/server.lock"
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PrivateFile.unwritable(path) }
        guard Self.take(file) else {
            let isTaken = errno == EWOULDBLOCK
            let problem = isTaken ? Self.taken(folder, by: Self.holder(file)) : PrivateFile.unwritable(path)
            close(file)
            throw problem
        }
        // For people, and for processes that come later. The lock itself is the system's.
        let pid = Array("\(getpid())\n".utf8)
        guard ftruncate(file, 0) == 0, pwrite(file, pid, pid.count, 0) == pid.count else {
            let problem = PrivateFile.unwritable(path)
            FileLock.end(file)
            throw problem
        }
    }

    deinit { FileLock.end(file) }

    /// Returns the process that holds a folder.
    ///
    /// To check, this locks the folder for microseconds. A server that starts at that moment finds it locked, and tries
    /// again (`init`).
    ///
    /// - Returns: nil if no process holds it, `.some(nil)` if the holder's number is unknown.
    /// - Throws: `Problem` if the lock cannot be read.
    public static func holder(of folder: String) throws(Problem) -> Int?? {
        let path = folder + "/server.lock"
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw PrivateFile.missing(path)
        }
        defer { FileLock.end(file) }
        if flock(file, LOCK_SH | LOCK_NB) == 0 { return nil }
        return .some(holder(file))
    }

    /// Locks the file. `holder(of:)` locks it only for microseconds, so a few attempts are enough.
    private static func take(_ file: Int32) -> Bool {
        for _ in 0..<20 {
            if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
            guard errno == EWOULDBLOCK else { return false }
            usleep(5_000)
        }
        errno = EWOULDBLOCK
        return false
    }

    private static func taken(_ folder: String, by pid: Int?) -> Problem {
        let who = pid.map { "process \($0)" } ?? "another process"
        return Problem(
            .occupied, "\(folder): is in use by \(who); end that one, or give this server a folder of its own")
    }

    /// Returns the holder's number. Nil if the holder has not written it yet.
    private static func holder(_ file: Int32) -> Int? {
        var text = [UInt8](repeating: 0, count: 20)
        let count = pread(file, &text, text.count, 0)
        return count > 0 ? Int(String(decoding: text.prefix(count).filter { $0 != 10 }, as: UTF8.self)) : nil
    }
}

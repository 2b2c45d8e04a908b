public import ExamKit
import Glibc

/// The right to a node's folder: one process at a time has it, for two in one folder take each other's exams. The system takes it back when
/// that process ends, however it ends.
///
/// To be taken before anything else in the folder is touched, and kept for as long as the process uses it.
public final class FolderLock: Sendable {
    private let file: Int32

    /// Makes the folder where it is not there, and takes it.
    ///
    /// - Throws: `Problem`: `occupied` where another process has it, with its number; `unwritable`.
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
        // For people, and for whoever comes too late; the lock itself is the system's.
        let pid = Array("\(getpid())\n".utf8)
        guard ftruncate(file, 0) == 0, pwrite(file, pid, pid.count, 0) == pid.count else {
            let problem = PrivateFile.unwritable(path)
            close(file)
            throw problem
        }
    }

    deinit { close(file) }

    /// The process that holds a folder, found out without taking the folder.
    ///
    /// A server that starts at this very moment tries again (`init`).
    ///
    /// - Returns: nil where no process holds it; `.some(nil)` where one does and its number is unknown.
    /// - Throws: `Problem` where the lock cannot be looked at.
    public static func holder(of folder: String) throws(Problem) -> Int?? {
        let path = folder + "/server.lock"
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw PrivateFile.missing(path)
        }
        defer { close(file) }
        if flock(file, LOCK_SH | LOCK_NB) == 0 { return nil }
        return .some(holder(file))
    }

    /// Takes it; whoever only looks (`holder(of:)`) has it for microseconds.
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

    /// nil where the holder has not written it yet.
    private static func holder(_ file: Int32) -> Int? {
        var text = [UInt8](repeating: 0, count: 20)
        let count = pread(file, &text, text.count, 0)
        return count > 0 ? Int(String(decoding: text.prefix(count).filter { $0 != 10 }, as: UTF8.self)) : nil
    }
}

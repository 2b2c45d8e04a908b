import Dispatch
import ExamCore
import FoundationEssentials
import Glibc
import Synchronization
public import SystemSupport

/// A user's sessions: a folder with one folder per session.
///
/// ```swift
/// let shelf = SessionShelf()
/// let session = try Session(prepared, in: room, folder: shelf.newFolder(format: prepared.format.id))
/// for session in shelf.list() { print(session.id, session.state) }
/// ```
public struct SessionShelf: Sendable {
    /// The folder that contains the sessions' folders.
    public let path: String

    /// - Parameter path: Need not exist. The default lies in the user's own data folder.
    public init(path: String = UserFolders.data + "/sessions") {
        self.path = path
    }

    /// Makes a folder for a new session that only its owner can read: `2026-11-21-0912-ielts-style`.
    ///
    /// Creating the folder is itself the test whether the name is free; if it isn't, `-2`, `-3` … follow. So two
    /// programs that begin at the same moment get two folders.
    ///
    /// - Parameter format: The format's id: letters, digits, `-`, `.` and `_`.
    /// - Throws: `Problem.occupied` if no folder can be made.
    public func newFolder(format: String, at moment: WallTime = .now) throws(Problem) -> SessionFolder {
        precondition(!format.contains("/"), "an id is not a path")
        let id = "\(moment.stamp)-\(format)"
        do throws(Problem) {
            try PrivateFile.createFolder(path)
            var number = 1
            while true {
                let folder = SessionFolder(path: "\(path)/\(id)" + (number > 1 ? "-\(number)" : ""))
                if mkdir(folder.path, 0o700) == 0 {
                    try PrivateFile.createFolder(folder.takes)
                    return folder
                }
                guard errno == EEXIST else { throw PrivateFile.unwritable(folder.path) }
                number += 1
            }
        } catch {
            throw Problem(.occupied, error.sentence)
        }
    }

    /// Returns all sessions, the newest first. A session that cannot be read is included with the reason. Files that
    /// aren't folders are ignored.
    public func list() -> [SessionSummary] {
        let dated = dated()
        let summaries = Mutex([SessionSummary?](repeating: nil, count: dated.count))
        // Nearly all the time goes into reading JSON, and the sessions are independent.
        DispatchQueue.concurrentPerform(iterations: dated.count) { index in
            let summary = SessionSummary(dated[index].folder, dated[index].record)
            summaries.withLock { $0[index] = summary }
        }
        return summaries.withLock { $0.compactMap(\.self) }
    }

    /// Finds a session by the name that a person types.
    ///
    /// - Parameters:
    ///   - name: An id, an unambiguous beginning of one, `last` for the newest exam (or the newest session, if there
    ///     are no exams), or a path (with a `/`) to any session's folder.
    ///   - isExam: Whether a session with this paper's id is an exam. Spoken drills are sessions, too.
    /// - Throws: `Problem.missing` if no session or several match; its sentence lists those that exist.
    public func find(_ name: String, isExam: (_ paper: String?) -> Bool) throws(Problem) -> SessionFolder {
        if name.contains("/") { return try find(path: name) }
        let folders = folders()
        if let exact = folders.first(where: { $0.name == name }) { return exact }
        guard let newest = folders.first else {
            throw Problem(.missing, "session \"\(name)\": there are no sessions in \(path)")
        }
        if name == "last" {
            return folders.first { isExam((try? $0.examHeading())?.paper.id) } ?? newest
        }
        // An empty name is a mistake, such as an unset variable in a script. It matches nothing, although every id
        // begins with it.
        let meant = name.isEmpty ? [] : folders.filter { $0.name.hasPrefix(name) }
        if meant.count == 1 { return meant[0] }
        let trouble = meant.isEmpty ? "does not exist" : "\(meant.count) of \(folders.count) begin with this"
        let some = (meant.isEmpty ? folders : meant).prefix(3).map(\.name).spoken
        let rest = (meant.isEmpty ? folders : meant).count > 3 ? "newest: " : ""
        throw Problem(.missing, "session \"\(name)\": \(trouble) (\(rest)\(some))")
    }

    private func find(path: String) throws(Problem) -> SessionFolder {
        guard let real = realpath(path, nil) else { throw Problem(.missing, "\(path): \(systemWords(errno))") }
        defer { free(real) }
        let folder = SessionFolder(path: String(cString: real))
        // A partly erased session keeps its log to the last.
        return access(folder.log, F_OK) == 0 ? folder : try .open(at: folder.path)
    }

    package func folders() -> [SessionFolder] { dated().map(\.folder) }

    private struct Dated: Sendable {
        var folder: SessionFolder
        var record: Result<SessionRecord?, Problem>
        var began: [Int]
    }

    /// Returns the sessions by when they began, the newest first: as `session.json` says, otherwise by the time when
    /// `exam.json` was frozen.
    private func dated() -> [Dated] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let dated = names.compactMap { name -> Dated? in
            let folder = SessionFolder(path: "\(path)/\(name)")
            var status = stat()
            guard !name.hasPrefix("."), lstat(folder.path, &status) == 0, status.isFolder else { return nil }
            _ = stat(folder.exam, &status)  // Otherwise the folder's own time.
            let (seconds, rest) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
            let record = Result { () throws(Problem) in try folder.readRecord() }
            let began = (try? record.get()).flatMap { WallTime(utc: $0.startedAt) }
            return Dated(folder: folder, record: record, began: [began?.secondsSince1970 ?? seconds, seconds, rest])
        }
        return dated.sorted { a, b in
            a.began == b.began
                ? inPeoplesOrder(b.folder.name, a.folder.name) : b.began.lexicographicallyPrecedes(a.began)
        }
    }
}

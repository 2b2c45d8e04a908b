import Glibc
public import Learning
import SessionFolders
public import SystemSupport

/// A learner's practice as a file with one line an event. Each line is handed to the operating system before the
/// learner sees its result.
///
/// ```
/// 2026-11-25T13:15:02+01:00 began 12 due food/savoury savoury-gap
/// 2026-11-25T13:15:24+01:00 answered 12 due food/savoury savoury-gap right 5.3
/// ```
///
/// Contains ids, verdicts and times, but no words and no names. Everything that Oracy shows about practice is derived
/// from it. Use it from one thread.
public final class PracticeLog {
    private let path: String
    /// The file, locked while this log is open so that two drills at once don't ask the same questions; −1 if the log
    /// is only read.
    private let file: Int32

    /// The history that the log's lines give; `append` updates it.
    public private(set) var history: PracticeHistory

    /// Opens a log for appending, and creates it if it is missing. A last line that a killed process left unfinished is
    /// cut off.
    ///
    /// - Throws: `Problem`: `occupied` if another process has the log open; `malformed` with the line; `unwritable`.
    public init(path: String) throws(Problem) {
        try PrivateFile.createFolder(path.folder)
        self.path = path
        file = open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        history = PracticeHistory()
        guard file >= 0 else { throw PrivateFile.unwritable(path) }
        guard SessionLog.lock(file, LOCK_EX) else {
            throw Problem(.occupied, "you are practising in another window; finish there first")
        }
        let bytes = try PrivateFile.read(path)
        let whole = try history.add(log: bytes, name: path)
        if whole < bytes.count, ftruncate(file, off_t(whole)) != 0 { throw PrivateFile.unwritable(path) }
        if bytes.isEmpty { try append([.weights(FSRS.weightsVersion)], at: .now) }
        try append(LessonMigration.events(for: history), at: .now)
    }

    /// Reads the history in a log. It is empty if there is no log.
    ///
    /// - Throws: `Problem.malformed` with the line.
    public static func history(of path: String) throws(Problem) -> PracticeHistory {
        var history = PracticeHistory()
        guard access(path, F_OK) == 0 else { return history }
        _ = try history.add(log: PrivateFile.read(path), name: path)
        return history
    }

    /// Reads a log's lines and the history that they give. Both are empty if there is no log.
    ///
    /// - Throws: `Problem.malformed` with the line.
    public static func lines(of path: String) throws(Problem) -> (lines: [PracticeLine], history: PracticeHistory) {
        var (lines, history) = ([PracticeLine](), PracticeHistory())
        guard access(path, F_OK) == 0 else { return (lines, history) }
        _ = try history.add(log: PrivateFile.read(path), name: path) { lines.append($0) }
        return (lines, history)
    }

    deinit { close(file) }

    /// Appends events. They survive a kill of the process once this returns.
    ///
    /// - Throws: `Problem.unwritable`: none of the events was recorded.
    public func append(_ events: [PracticeEvent], at moment: StudyMoment) throws(Problem) {
        guard !events.isEmpty else { return }
        let lines = events.map { PracticeLine(moment, $0) }
        let end = lseek(file, 0, SEEK_END)
        guard PrivateFile.writeAll(Array(lines.map { $0.text + "\n" }.joined().utf8), to: file) else {
            let problem = PrivateFile.unwritable(path)
            // Half a line would be read as the beginning of the next one.
            ftruncate(file, end)
            throw problem
        }
        for line in lines { history.add(line) }
    }

    /// Waits until the log is on disk, so that a power cut loses nothing either.
    ///
    /// - Throws: `Problem.unwritable`.
    public func synchronize() throws(Problem) {
        guard fsync(file) == 0 else { throw PrivateFile.unwritable(path) }
    }
}

extension StudyMoment {
    /// The current moment by the machine's clock and time zone.
    public static var now: StudyMoment {
        let now = WallTime.now
        return StudyMoment(seconds: now.secondsSince1970, offset: now.secondsEast)
    }
}

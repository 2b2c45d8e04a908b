import Glibc
public import Learning
public import SystemSupport

/// A learner's practice as a file: a line an event, appended and handed to the operating system before anything is shown of it.
///
/// ```
/// 2026-11-25T13:15:02+01:00 began 12 due food/savoury savoury-gap
/// 2026-11-25T13:15:24+01:00 answered 12 due food/savoury savoury-gap right 5.3
/// ```
///
/// Ids, verdicts and times: no words, no names. Everything that is shown of practice is derived from it. One thread.
public final class PracticeLog {
    private let path: String
    /// Locked as long as this is open, so that two drills at once do not ask the same; −1 where it is only read.
    private let file: Int32

    /// What the log tells; `append` goes along.
    public private(set) var history: PracticeHistory

    /// Opens a log for appending, and creates it if there is none. A last line that a killed process left unfinished is cut off.
    ///
    /// - Throws: `Problem`: `occupied` where another process has it; `malformed` with the line; `unwritable`.
    public init(path: String) throws(Problem) {
        try PrivateFile.createFolder(path.folder)
        self.path = path
        file = open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        history = PracticeHistory()
        guard file >= 0 else { throw PrivateFile.unwritable(path) }
        guard SessionLog.lock(file, LOCK_EX) else {
            throw Problem(.occupied, "you are practising in another window; end that first")
        }
        let bytes = try PrivateFile.read(path)
        let whole = try history.add(log: bytes, name: path)
        if whole < bytes.count, ftruncate(file, off_t(whole)) != 0 { throw PrivateFile.unwritable(path) }
        if bytes.isEmpty { try append([.weights(FSRS.weightsVersion)], at: .now) }
        try append(LessonMigration.events(for: history), at: .now)
    }

    /// Reads a log's history; it is empty if there is no log.
    ///
    /// - Throws: `Problem.malformed` with the line.
    public static func history(of path: String) throws(Problem) -> PracticeHistory {
        var history = PracticeHistory()
        guard access(path, F_OK) == 0 else { return history }
        _ = try history.add(log: PrivateFile.read(path), name: path)
        return history
    }

    /// Reads a log's lines and what they come to; none if there is no log.
    ///
    /// - Throws: `Problem.malformed` with the line.
    public static func lines(of path: String) throws(Problem) -> (lines: [PracticeLine], history: PracticeHistory) {
        var (lines, history) = ([PracticeLine](), PracticeHistory())
        guard access(path, F_OK) == 0 else { return (lines, history) }
        _ = try history.add(log: PrivateFile.read(path), name: path) { lines.append($0) }
        return (lines, history)
    }

    deinit { close(file) }

    /// Keeps what happened: it survives a kill of the process when this returns.
    ///
    /// - Throws: `Problem.unwritable`: nothing of it counts.
    public func append(_ events: [PracticeEvent], at moment: StudyMoment) throws(Problem) {
        guard !events.isEmpty else { return }
        let lines = events.map { PracticeLine(moment, $0) }
        let end = lseek(file, 0, SEEK_END)
        guard PrivateFile.writeAll(Array(lines.map { $0.text + "\n" }.joined().utf8), to: file) else {
            let problem = PrivateFile.unwritable(path)
            // Half a line would be taken for the beginning of the next.
            ftruncate(file, end)
            throw problem
        }
        for line in lines { history.add(line) }
    }

    /// Waits until the disk has it, so that a power cut loses nothing either.
    ///
    /// - Throws: `Problem.unwritable`.
    public func synchronize() throws(Problem) {
        guard fsync(file) == 0 else { throw PrivateFile.unwritable(path) }
    }
}

extension StudyMoment {
    /// By the machine's clock and zone.
    public static var now: StudyMoment {
        let now = WallTime.now
        return StudyMoment(seconds: now.secondsSince1970, offset: now.secondsEast)
    }
}

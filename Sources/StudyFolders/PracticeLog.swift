import Glibc
public import Learning
import SessionFolders
public import Study
import Synchronization
public import SystemSupport

/// A learner's practice as a file with one event per line. Each line is handed to the operating system before the
/// learner sees its result.
///
/// ```
/// 2026-11-25T13:15:02+01:00 began 12 due food/savoury savoury-gap
/// 2026-11-25T13:15:24+01:00 answered 12 due food/savoury savoury-gap right 5.3
/// ```
///
/// The file contains ids, verdicts and times, but no words and no names. Everything that Oracy shows about practice is
/// derived from it. Any task may use the log.
public final class PracticeLog: Sendable {
    /// The file's path.
    public let path: String
    private let state = Mutex(State())

    private struct State {
        /// The file while this log is locked; −1 before.
        var file: Int32 = -1
        /// The place after the last line, while this log is locked.
        var end = PracticePlace()
    }

    /// Creates a log for a path. Opens the file only when the log is read, locked or appended to.
    public init(path: String = UserFolders.data + "/practice.log") { self.path = path }

    deinit {
        state.withLock { state in
            if state.file >= 0 { FileLock.end(state.file) }
        }
    }

    // MARK: - Reading

    /// Reads the lines after a place. A last line that a killed process left unfinished is skipped.
    ///
    /// - Returns: Nil if the log no longer has the line at that place.
    /// - Throws: `Problem.malformed` with the line.
    public func stretch(after place: PracticePlace) throws(Problem) -> PracticeStretch? {
        // While this log is locked, no other program adds lines.
        let isUnchanged = state.withLock { $0.file >= 0 && $0.end == place }
        if isUnchanged { return PracticeStretch([], end: place, isWhole: true) }
        var (lines, end) = ([PracticeLine](), PracticePlace())
        if access(path, F_OK) == 0 {
            for text in Self.texts(of: try PrivateFile.read(path)) {
                end.number += 1
                guard end.number >= place.number else { continue }
                let line = String(decoding: text, as: UTF8.self)
                if end.number == place.number {
                    guard line == place.line else { return nil }
                    continue
                }
                guard let parsed = PracticeLine(line) else {
                    throw Problem(
                        .malformed,
                        "\(path):\(end.number): unknown line; a newer version may have written it, so update oracy")
                }
                lines.append(parsed)
                end.line = line
            }
        }
        guard end.number >= place.number else { return nil }
        return PracticeStretch(lines, end: lines.isEmpty ? place : end, isWhole: true)
    }

    /// Returns the whole lines of a log.
    private static func texts(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
    }

    // MARK: - Writing

    /// Locks the log for as long as this value lives, so that two drills at the same time don't ask the same questions.
    /// Creates the log if it is missing, and cuts off a last line that a killed process left unfinished.
    ///
    /// - Throws: `Problem`: `occupied` if another process has locked the log; `unwritable`.
    public func lock() throws(Problem) { try state.withLock { (state) throws(Problem) in try lock(&state) } }

    private func lock(_ state: inout State) throws(Problem) {
        guard state.file < 0 else { return }
        try PrivateFile.createFolder(path.folder)
        let file = open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PrivateFile.unwritable(path) }
        do throws(Problem) {
            guard SessionLog.lock(file, LOCK_EX) else {
                throw Problem(.occupied, "you are practising in another window; finish there first")
            }
            let bytes = try PrivateFile.read(path)
            let texts = Self.texts(of: bytes)
            let whole = texts.reduce(0) { $0 + $1.count + 1 }
            if whole < bytes.count, ftruncate(file, off_t(whole)) != 0 { throw PrivateFile.unwritable(path) }
            state.end = PracticePlace(
                number: texts.count, line: texts.last.map { String(decoding: $0, as: UTF8.self) })
        } catch {
            FileLock.end(file)
            throw error
        }
        state.file = file
    }

    /// Appends lines, and locks the log. They survive a kill of the process once this returns. If one of them ends a
    /// drill, they also survive a power cut.
    ///
    /// - Returns: False if the log has newer lines than `place`, or was erased.
    /// - Throws: `Problem`: `occupied` as `lock`; `unwritable`: none of the lines was recorded.
    public func append(_ lines: [PracticeLine], after place: PracticePlace) throws(Problem) -> Bool {
        try state.withLock { (state) throws(Problem) in
            try lock(&state)
            guard state.end == place else { return false }
            let end = lseek(state.file, 0, SEEK_END)
            guard PrivateFile.writeAll(Array(lines.map { $0.text + "\n" }.joined().utf8), to: state.file) else {
                let problem = PrivateFile.unwritable(path)
                // A partial line would be read as the beginning of the next one.
                ftruncate(state.file, end)
                throw problem
            }
            if let last = lines.last {
                state.end = PracticePlace(number: place.number + lines.count, line: last.text)
            }
            let endsDrill = lines.contains { if case .finished = $0.event { true } else { false } }
            guard !endsDrill || fsync(state.file) == 0 else { throw PrivateFile.unwritable(path) }
            return true
        }
    }
}

extension StudyMoment {
    /// The current moment by the machine's clock and time zone.
    public static var now: StudyMoment {
        let now = WallTime.now
        return StudyMoment(seconds: now.secondsSince1970, offset: now.secondsEast)
    }
}

public import ExamCore
import Glibc
public import SystemSupport

/// The exam as text: one line per change, appended and handed to the operating system before the change takes effect.
///
/// ```
/// {"log":1,"format":"ielts-style","paper":"bridges","mode":"test"}
/// {"at":0.000,"event":"begin","phase":"speaking greeting","do":["play greeting"]}
/// ```
///
/// The log contains only ids and times, no words and no names. Replayed through `Exam`, it gives the same state. The
/// expected logs of tests have the same form as the logs of real exams.
public final class SessionLog: Sendable {
    /// The version of the log's own layout.
    public static let layoutVersion = 1

    private let path: String
    /// The log's descriptor. It is locked as long as a process uses the session; the system unlocks it if the process
    /// dies.
    private let file: Int32

    /// Begins a new log.
    ///
    /// - Throws: `Problem.unwritable`.
    package init(path: String, script: ExamScript) throws(Problem) {
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PrivateFile.unwritable(path) }
        self.path = path
        _ = Self.lock(file, LOCK_EX)
        try begin(script)
    }

    /// Continues a log, and cuts off a last line that a killed process left unfinished.
    ///
    /// - Throws: `Problem`: `missing`; `occupied` if another process is using the session; `unwritable`.
    package init(continuing path: String, script: ExamScript) throws(Problem) {
        file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PrivateFile.unwritable(path) }
        self.path = path
        guard Self.lock(file, LOCK_EX) else { throw Self.inUse(path) }
        let bytes = try PrivateFile.read(path)
        let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        if whole < bytes.count, ftruncate(file, off_t(whole)) != 0 { throw PrivateFile.unwritable(path) }
        if whole == 0 { try begin(script) }
    }

    /// Returns whether a process is using the session of this log.
    static func isLocked(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { FileLock.end(file) }
        return flock(file, LOCK_SH | LOCK_NB) != 0
    }

    /// Locks a file. `isLocked` holds the lock of a session for a moment, so this tries for up to 0.1 s.
    package static func lock(_ file: Int32, _ kind: Int32) -> Bool {
        for _ in 0..<10 {
            if flock(file, kind | LOCK_NB) == 0 { return true }
            usleep(10_000)
        }
        return false
    }

    static func inUse(_ path: String) -> Problem {
        Problem(.occupied, "\(path.folder): another program is using this session; end it and try again")
    }

    private func begin(_ script: ExamScript) throws(Problem) {
        let ids = "\"format\":\"\(script.formatID)\",\"paper\":\"\(script.paperID)\""
        try append("{\"log\":\(Self.layoutVersion),\(ids),\"mode\":\"\(script.options.mode.rawValue)\"}")
    }

    deinit {
        FileLock.end(file)
    }

    /// Unlocks the session for others. Nothing is appended any more.
    package func release() {
        flock(file, LOCK_UN)
    }

    /// Appends one change. It survives a kill of the process once this returns.
    ///
    /// - Throws: `Problem.unwritable`. An incomplete line has no line end, so readers ignore it.
    package func append(_ event: Exam.Event, at now: ExamTime, exam: Exam, commands: [Exam.Command]) throws(Problem) {
        let commands = commands.map { "\"\($0.text(exam.script))\"" }.joined(separator: ",")
        let phase = exam.phase.text(exam.script)
        try append("{\"at\":\(now.text),\"event\":\"\(event.text)\",\"phase\":\"\(phase)\",\"do\":[\(commands)]}")
    }

    private func append(_ line: String) throws(Problem) {
        guard PrivateFile.writeAll(Array(line.utf8) + [UInt8(ascii: "\n")], to: file) else {
            throw PrivateFile.unwritable(path)
        }
    }

    /// Returns the complete lines of a log.
    ///
    /// - Throws: `Problem.missing`.
    package static func lines(of path: String) throws(Problem) -> [String] {
        let text = String(decoding: try PrivateFile.read(path), as: UTF8.self)
        guard let end = text.lastIndex(of: "\n") else { return [] }
        return text[..<end].split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Runs the exam of a log again, from its events alone.
    ///
    /// - Parameter visit: Called with each event, its time and the commands that it gave.
    /// - Returns: The exam in its state at the end of the log.
    /// - Throws: `Problem.malformed` with the line that cannot be read, or whose phase differs from the replayed
    ///   exam's.
    public static func replay(
        _ path: String,
        script: ExamScript,
        visit: (Exam.Event, ExamTime, [Exam.Command]) -> Void = { _, _, _ in }
    ) throws(Problem) -> Exam {
        var exam = Exam(script)
        let lines = try lines(of: path)
        guard let first = lines.first else { return exam }  // Killed before its first line was complete.
        guard let heading = try? JSONFile.decodeLine(Heading.self, from: Array(first.utf8)),
            heading.log == layoutVersion
        else { throw Problem(.malformed, "\(path):1: this program only reads logs of version \(layoutVersion)") }
        for (index, line) in lines.enumerated().dropFirst() {
            let bytes = Array(line.utf8)
            guard let entry = try? JSONFile.decodeLine(Entry.self, from: bytes),
                let event = Exam.Event(text: entry.event)
            else { throw Problem(.malformed, "\(path):\(index + 1): is not a log line") }
            let at = ExamTime(sinceBegin: entry.at.duration)
            visit(event, at, exam.handle(event, at: at))
            guard exam.phase.text(script) == entry.phase else {
                let phase = exam.phase.text(script)
                throw Problem(
                    .malformed, "\(path):\(index + 1): phase: is \"\(entry.phase)\", but the exam is \"\(phase)\"")
            }
        }
        return exam
    }

    private struct Heading: Decodable {
        var log: Int
    }

    private struct Entry: Decodable {
        var at: Seconds
        var event: String
        var phase: String
    }
}

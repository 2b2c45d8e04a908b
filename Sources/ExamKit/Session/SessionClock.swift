import ExamCore
import Glibc
import SystemSupport

/// The room's time as it was a moment ago, kept where the log has no lines: a minute of preparation is one line.
///
/// A file of one number that is written over in place, so that a session that was killed finds the time that was left.
final class SessionClock {
    private let path: String
    private var file: Int32 = -1
    private var kept: ExamTime?

    init(path: String) {
        self.path = path
    }

    deinit {
        if file >= 0 { close(file) }
    }

    /// Whether so much time has passed that it is to be kept.
    func isDue(_ now: ExamTime) -> Bool { kept.map { now - $0 >= .milliseconds(250) } ?? true }

    /// Failing to write it costs a killed session some seconds of preparation, so that is no error.
    func keep(_ now: ExamTime) {
        kept = now
        if file < 0 { file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
        let digits = String(now.sinceBegin.milliseconds)
        let line = Array((String(repeating: "0", count: max(0, 12 - digits.count)) + digits + "\n").utf8)
        _ = pwrite(file, line, line.count, 0)
    }

    static func forget(_ path: String) {
        unlink(path)
    }

    static func read(_ path: String) -> ExamTime? {
        guard let bytes = try? PrivateFile.read(path), bytes.count == 13,
            let milliseconds = Int(String(decoding: bytes.dropLast(), as: UTF8.self))
        else { return nil }
        return ExamTime(sinceBegin: .milliseconds(milliseconds))
    }
}

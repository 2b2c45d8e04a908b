import ExamCore
import Glibc
import SystemSupport

/// The room's time, stored every moment. It fills the gaps in the log, which has only a single line for a minute of
/// preparation.
///
/// The file holds one number that is overwritten in place. From it, a session that was killed and resumed knows how
/// much time had passed.
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

    /// Whether enough time has passed to write again.
    func isDue(_ now: ExamTime) -> Bool { kept.map { now - $0 >= .milliseconds(250) } ?? true }

    /// Writes the time. A failure is not an error: it only matters if the session is then killed, and costs some
    /// seconds of preparation.
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

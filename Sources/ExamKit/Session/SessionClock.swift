import ExamCore
import Glibc
import SystemSupport

/// The room's time as of a moment ago. It fills the gaps in the log: a minute of preparation is a single line there.
///
/// The file holds one number that is overwritten in place. With it, a killed session finds the time that was left.
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

    /// Writes the time. A failure costs a killed session some seconds of preparation, so it isn't an error.
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

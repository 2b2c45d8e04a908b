import Assessment
import Glibc
import Synchronization
import SystemSupport

/// The assessments that this process has read. One screen asks for the same exam several times, and a file has some 250
/// kB of JSON.
///
/// Any thread may call it.
enum KnownAssessments {
    /// The state of a file, by which a changed one is noticed.
    private struct State: Equatable {
        var inode: UInt
        var size, seconds, nanoseconds: Int
    }

    /// The most exams to remember. When one more is read, all of these are forgotten.
    private static let most = 500

    private static let known = Mutex<[String: (state: State, assessment: ExamAssessment)]>([:])

    /// Returns the file's assessment: the known one if the file is unchanged since it was read.
    static func of(
        _ path: String, read: () throws(Problem) -> ExamAssessment
    ) throws(Problem) -> ExamAssessment {
        var status = stat()
        guard stat(path, &status) == 0 else { return try read() }
        let state = State(
            inode: UInt(status.st_ino), size: Int(status.st_size), seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
        if let known = known.withLock({ $0[path] }), known.state == state { return known.assessment }
        let assessment = try read()
        known.withLock {
            if $0.count >= most { $0.removeAll() }
            $0[path] = (state, assessment)
        }
        return assessment
    }

    /// Forgets a file that is about to be replaced.
    static func forget(_ path: String) { known.withLock { $0[path] = nil } }
}

public import Assessors
import FoundationEssentials
import Glibc
public import HTTPClient
public import SessionFolders
import Synchronization
public import SystemSupport

/// The calls about a session, remembered on disk as lines of its `calls.jsonl`. Each line is on disk before the next
/// step.
///
/// Use it in one process at a time, from any task. A partial line that a killed process left is cut off: the answer in
/// it was never used.
public final class SessionCallMemory: AssessorMemory {
    private struct Line: Codable {
        var call: AssessorCall
        /// The time in ISO 8601, UTC.
        var at: String
        /// The answer. Absent in the line that records that the call is about to be made.
        var answer: String?
    }

    private let file: Int32
    private let path: String
    private let budget: AssessorBudget?
    private let spending: SpendingFile
    private let answers: Mutex<[AssessorCall: String]>

    /// Opens the memory of a session.
    ///
    /// - Parameter spending: today's spending of the user's assessors in all sessions.
    /// - Throws: `Problem`: `occupied` if another process is assessing this session, `malformed`, `unwritable`.
    public init(
        _ folder: SessionFolder, budget: AssessorBudget?, spending: SpendingFile
    ) throws(Problem) {
        path = folder.calls
        self.budget = budget
        self.spending = spending
        file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PrivateFile.unwritable(path) }
        do throws(Problem) {
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                throw Problem(
                    .occupied, "\(path): another `oracy assess` is working on this session; wait until it has finished")
            }
            answers = Mutex(try Self.read(path, cutting: file))
        } catch {
            FileLock.end(file)
            throw error
        }
    }

    deinit { FileLock.end(file) }

    private static func read(_ path: String, cutting file: Int32) throws(Problem) -> [AssessorCall: String] {
        let bytes = try PrivateFile.read(path)
        let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        guard whole == bytes.count || ftruncate(file, off_t(whole)) == 0 else { throw PrivateFile.unwritable(path) }
        var answers: [AssessorCall: String] = [:]
        for (number, text) in bytes[..<whole].split(separator: UInt8(ascii: "\n")).enumerated() {
            guard let line = try? JSONFile.decodeLine(Line.self, from: Array(text)) else {
                throw Problem(.malformed, "\(path): line \(number + 1) was not written by this program")
            }
            if let answer = line.answer { answers[line.call] = answer }
        }
        return answers
    }

    public func answer(to call: AssessorCall) -> String? { answers.withLock { $0[call] } }

    public func begin(_ call: AssessorCall) throws(ServiceFailure) {
        let refusal: String?
        do throws(Problem) {
            refusal = try spending.take(call, within: budget)
            if refusal == nil { try append(Line(call: call, at: WallTime.now.utc)) }
        } catch {
            throw ServiceFailure(.later(nil), error.sentence)
        }
        if let refusal { throw ServiceFailure(.spent, refusal) }
    }

    public func keep(_ answer: String, to call: AssessorCall) throws(ServiceFailure) {
        do throws(Problem) {
            try append(Line(call: call, at: WallTime.now.utc, answer: answer))
        } catch {
            throw ServiceFailure(.later(nil), error.sentence)
        }
        answers.withLock { $0[call] = answer }
    }

    private func append(_ line: Line) throws(Problem) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // JSON can always represent the line: it contains only strings and finite numbers.
        let bytes = Array((try? encoder.encode(line)) ?? Data()) + [UInt8(ascii: "\n")]
        // Any task may write a line. The mutex lets one write at a time.
        let isOnDisk = answers.withLock { _ in PrivateFile.writeAll(bytes, to: file) && fsync(file) == 0 }
        guard isOnDisk else { throw PrivateFile.unwritable(path) }
    }
}

/// The file with today's (UTC) spending of a user's assessors, shared by all of the user's programs.
public struct SpendingFile: Sendable {
    let path: String
    private let today: @Sendable () -> String

    /// Creates a value for this file.
    ///
    /// - Parameters:
    ///   - path: the file, which is created at the first spending.
    ///   - today: returns the date, such as `2026-11-24`. Tests pass their own.
    public init(path: String, today: @escaping @Sendable () -> String = { String(WallTime.now.utc.prefix(10)) }) {
        self.path = path
        self.today = today
    }

    private struct Day: Codable {
        var day: String
        var spent: AssessorSpending
    }

    /// Takes a call's cost from the budget before the call is made.
    ///
    /// - Returns: why the call must not be made, without a full stop. Nil if the cost was taken.
    /// - Throws: `Problem`: `unwritable`, `malformed`.
    func take(_ call: AssessorCall, within budget: AssessorBudget?) throws(Problem) -> String? {
        try PrivateFile.createFolder(path.folder)
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw PrivateFile.unwritable(path + ".lock") }
        // The lock is held only while a small file is replaced.
        defer { FileLock.end(lock) }
        guard flock(lock, LOCK_EX) == 0 else { throw PrivateFile.unwritable(path + ".lock") }
        var spent = try spent()
        if let refusal = budget?.refusal(of: call, spent: spent) { return refusal }
        spent.seconds += call.seconds
        spent.cost += call.cost
        try UserFile.write(Day(day: today(), spent: spent), to: path)
        return nil
    }

    /// Returns today's spending so far.
    ///
    /// - Throws: `Problem.malformed`.
    public func spent() throws(Problem) -> AssessorSpending {
        guard access(path, F_OK) == 0 else { return AssessorSpending() }
        let day = try UserFile.read(Day.self, from: path)
        return day.day == today() ? day.spent : AssessorSpending()
    }
}

import Foundation
import Glibc

/// A command under way: a program that does one thing and ends.
struct Command {
    /// What was asked, as one would type it.
    let line: String
    let process: ChildProcess
    /// The file with what it prints.
    let output: String
    /// The file with what it complains of.
    let errors: String

    /// Waits for its end and returns what it printed; ends it where it takes longer.
    func answer(within time: Duration) throws -> Data {
        defer { forget() }
        guard let status = process.wait(until: .now + time) else {
            process.kill()
            throw CommandFailure.unanswered(command: line, after: time)
        }
        // A wait status of 0 is exit(0); else the exit status is its second byte, the signal the low seven bits (wait(2)).
        guard status == 0 else {
            let words = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
            throw CommandFailure.refused(
                command: line, status: status & 0x7F == 0 ? status >> 8 : 128 + status & 0x7F,
                words: words.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        return try Data(contentsOf: URL(filePath: output))
    }

    /// Removes what it printed.
    func forget() {
        unlink(output)
        unlink(errors)
    }
}

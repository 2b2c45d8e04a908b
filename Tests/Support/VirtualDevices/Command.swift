import Foundation
import Glibc

/// A running command: a program that does one thing and ends.
struct Command {
    /// The command line as a user would type it.
    let line: String
    let process: ChildProcess
    /// The file with its output.
    let output: String
    /// The file with its error output.
    let errors: String

    /// Waits for its end and returns its output. Ends it if it takes longer.
    func answer(within time: Duration) throws -> Data {
        defer { forget() }
        guard let status = process.wait(until: .now + time) else {
            process.kill()
            throw CommandFailure.unanswered(command: line, after: time)
        }
        // A wait status of 0 is exit(0). Otherwise the exit status is its second byte, and the signal its low seven
        // bits (wait(2)).
        guard status == 0 else {
            let words = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
            throw CommandFailure.refused(
                command: line, status: status & 0x7F == 0 ? status >> 8 : 128 + status & 0x7F,
                words: words.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        return try Data(contentsOf: URL(filePath: output))
    }

    /// Removes its output.
    func forget() {
        unlink(output)
        unlink(errors)
    }
}

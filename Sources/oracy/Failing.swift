import ArgumentParser
import Glibc
import SystemSupport

/// Runs a command's body. An error becomes one plain sentence on standard error and an exit code.
func failing(_ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch {
        guard let problem = Problem(error) else { throw error }
        let isSignIn = problem.kind == .denied && problem.sentence.hasPrefix("you are not signed in")
        complain(problem.sentence + (isSignIn ? ": oracy account sign-in" : ""))
        throw ExitCode(problem.exitCode)
    }
}

/// Prints one sentence for the user on standard error.
func complain(_ sentence: String) {
    tell("oracy: \(sentence)\n")
}

/// Writes text for the user, in lines that fit the terminal.
func tell(_ text: String, on descriptor: Int32 = STDERR_FILENO) {
    let fitted = TerminalWidth.lines(to: descriptor).map { text.fitted(to: $0) } ?? text
    writeAll(Array(fitted.utf8), to: descriptor)
}

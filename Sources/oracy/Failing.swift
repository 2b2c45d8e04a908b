import ArgumentParser
import ExamKit
import Glibc

/// Runs a command's body. An error becomes one plain sentence on standard error and an exit code.
func failing(_ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch let problem as Problem {
        let isSignIn = problem.kind == .denied && problem.sentence.hasPrefix("you are not signed in")
        complain(problem.sentence + (isSignIn ? ": oracy account sign-in" : ""))
        throw ExitCode(problem.exitCode)
    }
}

/// Prints one sentence for the user on standard error.
func complain(_ sentence: String) {
    let line = Array("oracy: \(sentence)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
}

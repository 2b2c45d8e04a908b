import ArgumentParser
import Backends
import ExamKit
import Glibc
import HTTPClient
import SessionUploads
import UploadQueue

extension UploadsCommand {
    struct SignIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in",
            abstract: "Sign in where answers go: asks for a password or token, or reads one line from standard input.")

        func run() async throws {
            try await failing {
                let home = UploadsHome()
                let destination = try home.chosenDestination()
                guard destination.needsSignIn else {
                    print("\(destination.place) needs no sign-in.")
                    return
                }
                let secret = try Secret.ask(for: destination.secretWords)
                try await destination.signIn(secret, client: CurlClient(), credentials: home.credentials)
                // Whoever is sending looks at its journal when somebody has written there.
                try home.queue().wake()
                print("Signed in.")
            }
        }
    }

    struct Results: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Wait for a session's results from the backend, and print them.")

        @Argument(help: "The session: an id, its beginning, \"last\", or a path.")
        var session: String

        @Option(help: "How many seconds to wait.")
        var deadline = 300.0

        func validate() throws {
            guard (0...86_400).contains(deadline) else {
                throw ValidationError("--deadline must be between 0 and 86400 seconds.")
            }
        }

        func run() async throws {
            try await failing {
                let home = UploadsHome()
                let destination = try home.chosenDestination()
                let folder = try SessionShelf().find(session)
                guard let id = try SessionDelivery.id(of: folder) else {
                    throw Problem(.missing, "session \"\(folder.name)\": was never sent anywhere (oracy uploads add)")
                }
                var poll = ResultPoll()
                poll.deadline = .milliseconds(Int(deadline * 1000))
                poll.attempts = .max
                let waiting = poll
                let outcome = try await untilInterrupted {
                    () async throws -> Result<ResultPoll.Outcome, DeliveryFailure> in
                    let client = CurlClient()
                    do throws(DeliveryFailure) {
                        return .success(
                            try await waiting.outcome { () async throws(DeliveryFailure) in
                                try await destination.status(of: id, client: client, credentials: home.credentials)
                            })
                    } catch {
                        return .failure(error)
                    }
                }
                try Self.tell(outcome, of: folder)
            }
        }

        private static func tell(
            _ outcome: Result<ResultPoll.Outcome, DeliveryFailure>, of folder: SessionFolder
        ) throws {
            switch outcome {
            case .success(.evaluated(let scores)):
                print(scores)
            case .success(.failed(let message)):
                throw Problem(.unavailable, "\(folder.name): \(message)")
            case .success(.timedOut):
                complain(
                    "\(folder.name): no results yet; what this machine knows: oracy sessions show \(folder.nameOnShelf)"
                )
                throw ExitCode(75)
            case .failure(let failure) where failure.kind == .signInNeeded:
                complain("nobody is signed in: oracy uploads sign-in")
                throw ExitCode(77)
            case .failure(let failure) where failure.kind == .cancelled:
                throw ExitCode(75)
            case .failure(let failure):
                throw Problem(.unavailable, "\(folder.name): \(failure.message)")
            }
        }
    }
}

extension Destination {
    fileprivate var secretWords: String {
        if case .supabase(_, _, _, let email) = self { "password of \(email)" } else { "token for \(place)" }
    }
}

/// A password or a token: never an argument, which others on this machine could see.
private enum Secret {
    /// - Throws: `Problem.missing` where nothing was given.
    static func ask(for what: String) throws(Problem) -> String {
        var before = termios()
        let isTerminal = tcgetattr(STDIN_FILENO, &before) == 0
        if isTerminal {
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSANOW, &silent)
            let question = Array("\(what): ".utf8)
            _ = write(STDERR_FILENO, question, question.count)
        }
        let line = readLine()
        if isTerminal {
            tcsetattr(STDIN_FILENO, TCSANOW, &before)
            _ = write(STDERR_FILENO, "\n", 1)
        }
        guard let line, !line.isEmpty else { throw Problem(.missing, "the \(what) is empty: nothing was changed") }
        return line
    }
}

import ArgumentParser
import Backends
import Glibc
import SystemSupport
import UploadQueue

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Manage your account at the place that answers go to: sign-in, name, picture.",
        subcommands: [Show.self, SignUp.self, SignIn.self, SignOut.self, SetProfile.self],
        defaultSubcommand: Show.self
    )

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show who is signed in, and the profile stored there.")

        @Flag(help: "Print the profile as JSON.")
        var json = false

        func run() async throws {
            try await failing {
                let home = UploadsHome()
                let destination = try home.chosenDestination()
                let account = home.account(at: destination)
                guard account.isSignedIn || !destination.needsSignIn else {
                    throw Problem(.denied, "you are not signed in to \(destination.place)")
                }
                let profile = try await account.profile()
                let report = Report(
                    place: destination.place, account: destination.accountName, user: account.user, profile: profile)
                if json { return print(JSONText.of(report), whole: true) }
                let rows = [
                    ["at", report.place], ["account", report.account ?? report.user ?? "no sign-in needed"],
                    ["user name", profile.username ?? "none"], ["full name", profile.fullName ?? "none"],
                    ["picture", profile.picture ?? "none"],
                ]
                print(rows.map { $0.map(\.cleaned) }.columns().joined(separator: "\n"))
            }
        }

        private struct Report: Encodable {
            var place: String
            var account, user: String?
            var profile: AccountProfile
        }
    }

    struct SignUp: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-up",
            abstract: "Create an account with the destination's e-mail address. Asks for a password twice.")

        func run() async throws {
            try await failing {
                let home = UploadsHome()
                let destination = try home.chosenDestination()
                let password = try Secret.askTwice(for: "new password of \(destination.accountName ?? "the account")")
                switch try await home.account(at: destination).signUp(password) {
                case .signedIn:
                    try home.queue().wake()
                    print("Signed up, and signed in as \(destination.accountName ?? "you").")
                case .codeSent:
                    print("A code is on its way to you by e-mail. Next: oracy account sign-in --code CODE-OR-LINK")
                }
            }
        }
    }

    struct SignIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in",
            abstract: "Sign in. Asks for a password or token, or reads one line from standard input.")

        @Flag(help: "Send a code by e-mail instead, for accounts without a password.")
        var sendCode = false

        @Option(help: "The code from that e-mail, or the whole link.")
        var code: String?

        func run() async throws {
            try await failing { try await Self.signIn(sendCode: sendCode, code: code) }
        }

        static func signIn(sendCode: Bool = false, code: String? = nil) async throws {
            let home = UploadsHome()
            var destination = try home.chosenDestination()
            guard destination.takesSignIn else {
                return print("\(destination.place) needs no sign-in.")
            }
            if sendCode {
                try await home.account(at: destination).sendCode()
                return print("A code is on its way to you by e-mail. Next: oracy account sign-in --code CODE-OR-LINK")
            }
            if let code {
                try await home.account(at: destination).signIn(code: code)
            } else {
                destination = try await home.signIn(Secret.ask(for: destination.secretWords), at: destination)
            }
            // A running sender checks its journal again after this call.
            try home.queue(to: destination).wake()
            print("Signed in\(destination.accountName.map { " as \($0)" } ?? "").")
        }
    }

    struct SignOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out", abstract: "Sign out. Waiting answers stay queued until you sign in again.")

        func run() async throws {
            try await failing {
                let home = UploadsHome()
                let destination = try home.chosenDestination()
                let account = home.account(at: destination)
                guard account.isSignedIn else { return print("You are not signed in to \(destination.place).") }
                if try await !account.signOut() {
                    complain("\(destination.place) could not be reached; you are signed out on this machine only")
                }
                print("Signed out.")
            }
        }
    }

    struct SetProfile: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "profile", abstract: "Change your name or picture.")

        @Option(help: "The user name.")
        var name: String?

        @Option(help: "The full name.")
        var fullName: String?

        @Option(help: "A picture: PNG, JPEG or WebP, at most 1 MB. In a Supabase project it is public.")
        var picture: String?

        func validate() throws {
            if name == nil && fullName == nil && picture == nil {
                throw ValidationError("Say what to change: --name, --full-name or --picture.")
            }
        }

        func run() async throws {
            try await failing {
                let home = UploadsHome()
                let destination = try home.chosenDestination()
                let bytes = try picture.map { (path) throws(Problem) in try PrivateFile.read(path) }
                let file = picture ?? ""
                if let bytes, bytes.count > ProfilePicture.largest {
                    throw Problem(
                        .malformed,
                        "\(file): is too large: \(bytes.count.bytes) of at most \(ProfilePicture.largest.bytes)")
                }
                let shown = bytes.flatMap(ProfilePicture.init)
                if bytes != nil && shown == nil {
                    throw Problem(.malformed, "\(file): is not a picture; use a PNG, JPEG or WebP file")
                }
                try await home.account(at: destination)
                    .change(AccountProfile(username: name, fullName: fullName), picture: shown)
                print("Changed.")
            }
        }
    }
}

extension Destination {
    fileprivate var secretWords: String {
        if case .supabase(_, _, _, let email) = self { "password of \(email)" } else { "token for \(place)" }
    }
}

/// A password or a token. It is never an argument, because others on this machine could see that.
enum Secret {
    /// - Throws: `Problem.missing` if the user enters nothing.
    static func ask(for what: String) throws(Problem) -> String {
        var before = termios()
        let isTerminal = tcgetattr(STDIN_FILENO, &before) == 0
        if isTerminal {
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSANOW, &silent)
            tell("\(what): ")
        }
        let line = readLine()
        if isTerminal {
            tcsetattr(STDIN_FILENO, TCSANOW, &before)
            _ = write(STDERR_FILENO, "\n", 1)
        }
        guard let line, !line.isEmpty else { throw Problem(.missing, "the \(what) is empty, so nothing was changed") }
        return line
    }

    /// Asks for a new secret twice, so that the user notices a typing error now. From a file or a pipe, once is enough.
    static func askTwice(for what: String) throws(Problem) -> String {
        let first = try ask(for: what)
        guard isatty(STDIN_FILENO) == 1 else { return first }
        guard try ask(for: "the same again") == first else {
            throw Problem(.malformed, "the two passwords differ, so nothing was changed")
        }
        return first
    }
}

import ArgumentParser
import Backends
import Glibc
import SystemSupport

extension UploadsCommand {
    struct To: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "to",
            abstract: "Choose where answers go: a folder, a backend of your own, a Supabase project, or nowhere.",
            discussion: """
                Missing values are taken from the environment (ORACY_URL, ORACY_KEY, ORACY_EMAIL, ORACY_USER, \
                ORACY_TEMPLATE), or asked for in a terminal. ORACY_DESTINATION names a file as for `to file`, for one \
                command or a whole machine.
                """,
            subcommands: [Folder.self, Backend.self, Supabase.self, Signed.self, File.self, Nowhere.self]
        )

        struct Folder: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "folder",
                abstract: "Send to a folder: another disk, a network share, a synchronized folder.")

            @Argument(help: "The folder; created if it does not exist.")
            var path: String

            func run() async throws {
                try await choose { .folder(path: path.path(in: currentFolder())) }
            }
        }

        struct File: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "file",
                abstract:
                    "Send to the destination in a file: {\"kind\": \"supabase\", \"url\": …, \"key\": …, \"email\": …}."
            )

            @Argument(help: "The destination file.")
            var file: String

            func run() async throws { try await choose { () throws(Problem) in try Destination.read(from: file) } }
        }

        struct Backend: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "backend", abstract: "Send to an Oracy backend.")

            @Argument(help: "The backend's address: https://…")
            var url: String?

            func run() async throws {
                try await choose { () throws(Problem) in .backend(url: try Field.url.value(url)) }
            }
        }

        struct Supabase: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "supabase",
                abstract: "Send to a Supabase project: its tables and a private bucket.")

            @Argument(help: "The project's address: https://….supabase.co")
            var url: String?

            @Option(help: "The publishable key (sb_publishable_… or the older anon key); never a secret one.")
            var key: String?

            @Option(help: "The e-mail address to sign in with.")
            var email: String?

            @Option(help: "The id of the default template for `oracy run`.")
            var template: String?

            func run() async throws {
                try await choose { () throws(Problem) in
                    .supabase(
                        url: try Field.url.value(url), key: try Field.key.value(key),
                        template: Field.template.known(template) ?? "", email: try Field.email.value(email))
                }
            }
        }

        struct Signed: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "signed",
                abstract: "Send to S3-compatible storage, through addresses that an API signs.")

            @Argument(help: "The API's address: https://…")
            var url: String?

            @Option(help: "The user's id at the API.")
            var user: String?

            @Option(help: "The template id for exams without --template.")
            var template: String?

            func run() async throws {
                try await choose { () throws(Problem) in
                    .signedURL(
                        url: try Field.url.value(url), user: try Field.user.value(user),
                        template: try Field.template.value(template))
                }
            }
        }

        struct Nowhere: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "nowhere",
                abstract: "Keep answers on this machine. Waiting uploads stay queued.")

            func run() async throws {
                try await failing {
                    try UploadsHome().set(nil)
                    print("Answers stay on this machine.")
                }
            }
        }
    }
}

/// Stores a destination and tells the user what follows.
private func choose(_ destination: () throws(Problem) -> Destination) async throws {
    try await failing {
        let home = UploadsHome()
        let destination = try destination()
        try home.set(destination)
        print("From now on, answers go to \(destination.place).")
        if destination.needsSignIn && !home.account(at: destination).isSignedIn {
            print("Next, sign in: oracy account sign-in")
        }
        if home.chosenElsewhere != nil {
            complain("warning: ORACY_DESTINATION is set and overrides this; unset it to use the new destination")
        }
    }
}

/// A value that a destination needs. It comes from the command line, otherwise from the environment, otherwise from the
/// user.
private enum Field: String {
    case url = "ORACY_URL"
    case key = "ORACY_KEY"
    case email = "ORACY_EMAIL"
    case user = "ORACY_USER"
    case template = "ORACY_TEMPLATE"

    func known(_ said: String?) -> String? { said ?? UserFolders.environment(rawValue) }

    /// - Throws: `Problem.missing` if there is no terminal to ask at, or the user enters nothing.
    func value(_ said: String?) throws(Problem) -> String {
        if let known = known(said) { return known }
        guard isatty(STDIN_FILENO) == 1 else {
            throw Problem(.missing, "the \(words) is missing; name it, or set \(rawValue)")
        }
        tell("\(words): ")
        guard let answer = readLine(), !answer.isEmpty else {
            throw Problem(.missing, "the \(words) is empty, so nothing was changed")
        }
        return answer
    }

    private var words: String {
        switch self {
        case .url: "address"
        case .key: "publishable key"
        case .email: "e-mail address"
        case .user: "user's id"
        case .template: "template's id"
        }
    }
}

func currentFolder() -> String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
}

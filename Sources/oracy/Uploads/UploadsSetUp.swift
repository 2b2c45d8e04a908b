import ArgumentParser
import Backends
import ExamKit
import Glibc

extension UploadsCommand {
    struct To: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "to",
            abstract: "Choose where answers go: a folder, a backend of your own, a Supabase project, or nowhere.",
            subcommands: [Folder.self, Backend.self, Supabase.self, Signed.self, Nowhere.self]
        )

        struct Folder: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Into a folder: another disk, a network share, a synchronized folder.")

            @Argument(help: "The folder; created if it does not exist.")
            var path: String

            func run() async throws {
                try await set(.folder(path: path.hasPrefix("/") ? path : currentFolder() + "/" + path))
            }
        }

        struct Backend: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "To an Oracy backend.")

            @Argument(help: "Its address: https://…")
            var url: String

            func run() async throws { try await set(.backend(url: url)) }
        }

        struct Supabase: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "To a Supabase project: its tables and a private bucket.")

            @Argument(help: "The project's address: https://….supabase.co")
            var url: String

            @Option(help: "The publishable key (sb_publishable_… or the older anon key); never a secret one.")
            var key: String

            @Option(help: "The e-mail address to sign in with.")
            var email: String

            @Option(help: "The id of the test template that the exams belong to.")
            var template: String = ""

            func run() async throws { try await set(.supabase(url: url, key: key, template: template, email: email)) }
        }

        struct Signed: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "To S3-compatible storage, through addresses that an API signs.")

            @Argument(help: "The API's address: https://…")
            var url: String

            @Option(help: "The user's id there.")
            var user: String

            @Option(help: "The template's id there.")
            var template: String

            func run() async throws { try await set(.signedURL(url: url, user: user, template: template)) }
        }

        struct Nowhere: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Keep answers on this machine; what waits stays queued.")

            func run() async throws {
                try await failing {
                    try UploadsHome().set(nil)
                    print("Answers stay on this machine.")
                }
            }
        }
    }
}

/// Keeps a destination and says what follows.
private func set(_ destination: Destination) async throws {
    try await failing {
        try UploadsHome().set(destination)
        print("Answers of exams from now on go to \(destination.place).")
        if destination.needsSignIn { print("Sign in next: oracy uploads sign-in") }
    }
}

private func currentFolder() -> String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
}

import ArgumentParser
import ExamKit
import ExamServer
import ExamStore
import Foundation

/// The command `oracy-server export USER`.
struct Export: ServerCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes everything that is kept of a user into a folder.",
        discussion: """
            Rows as JSON, what their exams were made of, and all recordings; the server may run. Where the database is PostgreSQL or \
            storage speaks S3, any machine that reaches both will do.

            Exit codes: 0 written; 64 invalid option; 65 unusable database; 66 nothing is kept of the user; 69 database or storage not \
            reachable; 73 folder not empty; 74 folder not writable.
            """)

    @Argument(help: "The user's id, as tokens have it (sub).", transform: Spelling.user)
    var user: UUID

    @Option(help: "An empty or new folder. Default: oracy-export-USER, here.")
    var to: String?

    @OptionGroup var storage: StorageOptions

    @Option(help: .config)
    var config: String?

    func run(with found: OptionSources) async throws {
        let store = try await storage.existingStore()
        let audio = try storage.audioStore(environment: found.environment)
        let folder = to ?? "oracy-export-\(user.uuidString.lowercased())"
        let written = try await UserExport(of: store, audio).write(of: user, to: folder)
        for (kind, count) in written.records.sorted(by: { $0.key < $1.key }) { say("\(kind): \(count)") }
        say("audio files: \(written.audioFiles), \(written.audioBytes) bytes")
        for key in written.missing { say("missing in storage: \(key)") }
        say(folder)
        await store.close()
    }
}

import ArgumentParser
import ExamServer
import ExamStore
import Foundation
import ServerWork

/// The command `oracy-server export USER`.
struct Export: ServerCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write all data of a user into a folder.",
        discussion: """
            Writes rows as JSON, the formats and papers of exams, and all recordings. The server may run. With \
            PostgreSQL or S3 storage, you can run it on any machine that reaches both.

            Exit codes: 0 written; 64 invalid option; 65 unusable database; 66 no data of this user; 69 database or \
            storage not reachable; 73 folder not empty; 74 folder not writable.
            """)

    @Argument(help: "The user's id, as tokens have it (sub).", transform: Spelling.user)
    var user: UUID

    @Option(help: "An empty or new folder. Default: oracy-export-USER in the current folder.")
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

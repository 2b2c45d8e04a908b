import ArgumentParser
import ExamServer
import ExamStore
import Foundation
import ServerWork

/// The command `oracy-server backup FOLDER`.
struct BackUp: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database and all recordings into a folder. The server may run.",
        discussion: """
            The backup contains everything as it was at the moment it began. For PostgreSQL, run pg_dump first: its \
            rows are not included.

            Exit codes: 0 written; 64 invalid option; 65 unusable database; 66 no database; 69 database or storage not reachable; 73 folder \
            not empty; 74 folder not writable.
            """)

    @Argument(help: "An empty or new folder.")
    var folder: String

    @OptionGroup var storage: StorageOptions

    @Option(help: .config)
    var config: String?

    func run(with found: OptionSources) async throws {
        let store = try await storage.existingStore()
        let audio = try storage.audioStore(environment: found.environment)
        let isSQLite = storage.database == nil
        let manifest = try await Backup(of: store, audio, isSQLite: isSQLite).write(to: folder)
        await store.close()
        let bytes = manifest.files.reduce(0) { $0 + $1.bytes }
        say("\(manifest.sessions) sessions, \(manifest.files.count) files, \(bytes) bytes")
        for key in manifest.missing { say("missing in storage: \(key)") }
        if !isSQLite {
            say(
                "PostgreSQL's rows are not in the backup: have a superuser run \"pg_dump --format=custom --file=\(folder)/oracy.dump DATABASE\" "
                    + "before each backup of the recordings; row-level security hides rows from other users")
        }
        say(folder)
    }
}

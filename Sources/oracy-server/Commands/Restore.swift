import ArgumentParser
import ExamNode
import ExamServer
import ExamStore
import ServerWork

/// The command `oracy-server restore FOLDER`.
struct Restore: ServerCommand {
    static let configuration = CommandConfiguration(
        abstract: "Restore a backup into an empty --data folder, and verify it.",
        discussion: """
            The backup is compared with its manifest before anything is written. Run this as the server's user. \
            Restore PostgreSQL's rows with pg_restore.

            Exit codes: 0 restored; 64 invalid option; 65 the backup is incomplete or was changed; 66 no such backup; \
            69 storage not reachable; 73 the server's folder is not empty, or a server uses it; 74 folder not \
            writable.
            """)

    @Argument(help: "A folder that \"backup\" wrote.")
    var folder: String

    @OptionGroup var storage: StorageOptions

    @Option(help: .config)
    var config: String?

    func run(with found: OptionSources) async throws {
        let restoring = try Restoring(of: folder, knownSteps: ExamDatabase.knownSteps)
        let isSQLite = storage.database == nil
        switch restoring.manifest.database {
        case .sqlite where !isSQLite:
            throw ValidationError("--database: \(folder) is a backup of an SQLite database; leave the option out")
        case .postgresql where isSQLite:
            throw ValidationError("--database: \(folder) is a backup beside PostgreSQL; name the database")
        default: break
        }
        if storage.audio == nil || isSQLite { try Restoring.requireEmpty(storage.folder) }
        let lock = try FolderLock(folder: storage.folder)
        let audio = try storage.audioStore(environment: found.environment)
        try await restoring.write(to: audio, database: isSQLite ? storage.file : nil)
        withExtendedLifetime(lock) {}
        say("\(restoring.manifest.sessions) sessions, \(restoring.manifest.files.count) files, compared")
        if !isSQLite {
            say(
                "PostgreSQL's rows: have a superuser run \"pg_restore --exit-on-error --dbname=DATABASE \(folder)/oracy.dump\" "
                    + "into an empty database that the server's role owns")
        }
        say(storage.folder)
    }
}

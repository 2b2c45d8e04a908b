import ArgumentParser
import ExamNode
import ExamServer
import ExamStore
import Foundation
import Logging
import ServerWork
import SystemSupport

/// The command `oracy-server erase USER`.
struct Erase: ServerCommand {
    static let configuration = CommandConfiguration(
        abstract: "Erase all data of a user, and report what was deleted.",
        discussion: """
            Erases sessions, recordings, practice, plans, papers and the profile. Asks first, unless --yes. The server \
            may run. Backups are not touched and keep their data until you delete them.

            Exit codes: 0 erased; 64 invalid option; 65 unusable database; 66 no data of this user; 69 some data could \
            not be erased (see the report), or database not reachable; 74 report not writable; 77 not confirmed.
            """)

    @Argument(help: "The user's id, as tokens have it (sub).", transform: Spelling.user)
    var user: UUID

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Option(help: "A file for the report, as JSON.")
    var report: String?

    @OptionGroup var storage: StorageOptions

    @Option(help: .config)
    var config: String?

    func run(with found: OptionSources) async throws {
        let store = try await storage.existingStore()
        let audio = try storage.audioStore(environment: found.environment)
        if !yes { try await confirm(store) }
        LoggingSystem.bootstrap { _ in LineLog(.text, level: .warning, node: "erase") }
        let services = Services(
            settings: ServerSettings(folder: storage.folder, node: "erase"), store: store, audio: audio,
            logger: Logger(label: "oracy-server"))
        // A server that is running here clears its own folder.
        let lock =
            FileManager.default.fileExists(atPath: storage.folder) ? try? FolderLock(folder: storage.folder) : nil
        let told = try await UserErasure(services, ownsFolder: lock != nil).erase(user)
        withExtendedLifetime(lock) {}
        await store.close()
        if let report {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try PrivateFile.replace(report, with: Array(encoder.encode(told)))
        }
        for (kind, count) in told.deleted.sorted(by: { $0.key < $1.key }) { say("deleted \(kind): \(count)") }
        say("deleted audio files: \(told.audioFiles)")
        for kept in told.kept { say("kept \(kept.kind): \(kept.count) (\(kept.why))") }
        for sentence in told.looked { say("looked at \(sentence)") }
        for sentence in told.failed { say("NOT DELETED: \(sentence)") }
        guard told.failed.isEmpty else {
            throw Problem(.unavailable, "some data of \(told.user) could not be erased; see the report")
        }
    }

    /// Asks for confirmation.
    ///
    /// - Throws: `Problem`: `missing` if there is nothing to erase, `denied` if it was not confirmed.
    private func confirm(_ store: ExamDatabase) async throws {
        let name = user.uuidString.lowercased()
        let held = try await store.service.held(of: user)
        // There may be sound without rows. Only the erasure finds out whether there is any.
        if held.isEmpty { return }
        for (kind, count) in held.sorted(by: { $0.key < $1.key }) { say("\(kind): \(count)") }
        say("This erases all of it permanently. Type the user's id to continue:")
        guard readLine()?.trimmingCharacters(in: .whitespaces).lowercased() == name else {
            throw Problem(.denied, "nothing was erased, because the id was not typed; use --yes without a terminal")
        }
    }
}

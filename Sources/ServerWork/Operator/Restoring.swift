import ExamStore
import Foundation
import Glibc
package import RecordingStores
package import SystemSupport

/// Restores a backup to an empty folder, and compares the result with it.
package struct Restoring {
    private let backup: String
    package let manifest: BackupManifest

    /// Reads the backup and compares all of it with its manifest. Writes nothing.
    ///
    /// - Throws: the errors of `BackupManifest.init(checking:)`, and `malformed` if a newer version made it.
    package init(of backup: String, knownSteps: Int) throws(Problem) {
        self.backup = backup
        manifest = try BackupManifest(checking: backup)
        guard manifest.step <= knownSteps else {
            throw Problem(
                .malformed,
                "\(backup): was made by a newer version (step \(manifest.step), this one knows \(knownSteps)); install that one"
            )
        }
    }

    /// The names that may exist in a server's folder without data.
    private static let allowed: Set = ["server.lock", "audio"]

    /// Checks that a server's folder contains no data.
    ///
    /// - Throws: `Problem.occupied`.
    package static func requireEmpty(_ folder: String) throws(Problem) {
        try EmptyFolder.make(folder, allowing: allowed)
        if FileFacts(at: folder + "/audio") != nil { try EmptyFolder.make(folder + "/audio", allowing: [".parts"]) }
    }

    /// Writes the sound first and the database last, so that an interrupted restoration leaves no usable server folder.
    ///
    /// - Parameters:
    ///   - audio: the storage for recordings.
    ///   - path: the path of the SQLite file, which must not exist. Nil if the rows are in PostgreSQL.
    /// - Throws: `Problem`, `StoreError`, `AudioStoreError`.
    package func write(to audio: any AudioStore, database path: String?) async throws {
        for file in manifest.files {
            guard let key = AudioKey.inBackup(file.path) else { continue }
            try await audio.put(
                "\(backup)/\(file.path)", as: key, sha256: file.sha256,
                mediaType: file.mediaType ?? "application/octet-stream")
            guard try await audio.digest(of: key) == (file.bytes, file.sha256) else {
                throw Problem(
                    .unwritable,
                    "\(key): the storage changed it after it was restored; check the storage, then restore again")
            }
        }
        guard let path, let file = manifest.files.first(where: { $0.path == BackupManifest.databaseName }) else {
            return
        }
        let part = path + ".part"
        guard try Self.copy("\(backup)/\(file.path)", to: part) == file.sha256,
            try PrivateFile.digest(part) == (file.bytes, file.sha256)
        else {
            throw Problem(
                .unwritable, "\(path): the disk changed it after it was restored; check the disk, then restore again")
        }
        try await check(part)
        try PrivateFile.move(part, to: path)
    }

    /// Checks that the database is undamaged and that all sound named by it exists.
    private func check(_ path: String) async throws {
        let store = try ExamDatabase.sqlite(path: path)
        try await store.checkIntegrity()
        let named = Set(try await store.service.recordingKeys().keys)
        await store.close()
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        let there = Set(manifest.files.compactMap { AudioKey.inBackup($0.path)?.text } + manifest.missing)
        guard let lost = named.subtracting(there).min() else { return }
        throw Problem(.malformed, "\(backup): has no sound for \(lost), which its database names; take another backup")
    }

    /// Copies a file.
    ///
    /// - Returns: the SHA-256 of the copied bytes.
    private static func copy(_ source: String, to target: String) throws(Problem) -> String {
        let file = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PrivateFile.unwritable(target) }
        defer { close(file) }
        var digest = SHA256()
        var isWritten = true
        try PrivateFile.forEachChunk(of: source) { chunk in
            digest.update(chunk)
            isWritten = isWritten && PrivateFile.writeAll(Array(chunk), to: file)
        }
        guard isWritten, fsync(file) == 0 else { throw PrivateFile.unwritable(target) }
        return digest.hexadecimal()
    }
}

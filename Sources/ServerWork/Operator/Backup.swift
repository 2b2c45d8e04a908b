package import ExamStore
import Foundation
import Glibc
package import RecordingStores
import SystemSupport

/// A copy of everything that a server stores, as it was at one moment: the SQLite database and all sound, with a
/// manifest. The server may be running.
///
/// The database is copied first, so that all sound named by its rows was in storage at that time. If sound is erased
/// while it is being copied, the copy does not contain it and the database is copied again.
package struct Backup {
    private let store: ExamDatabase
    private let audio: any AudioStore
    private let isSQLite: Bool

    /// Creates a backup.
    ///
    /// - Parameter isSQLite: if false, `pg_dump` copies the rows, and this copies only the sound.
    package init(of store: ExamDatabase, _ audio: any AudioStore, isSQLite: Bool) {
        (self.store, self.audio, self.isSQLite) = (store, audio, isSQLite)
    }

    /// The most times that the database is copied because sound was erased meanwhile.
    private static let mostTries = 5

    /// Writes the backup.
    ///
    /// - Parameter folder: a folder that is empty or missing, apart from `pg_dump`'s file (`oracy.dump`).
    /// - Throws: `Problem`: `occupied`, `unwritable`. `StoreError`, `AudioStoreError`.
    package func write(to folder: String) async throws -> BackupManifest {
        try EmptyFolder.make(folder, allowing: isSQLite ? [] : [BackupManifest.dumpName])
        let step = try await store.steps().done
        var copied: [String: BackupManifest.File] = [:]
        for attempt in 1... {
            let rows = try await rows(in: folder)
            var missing = Set(rows.recordings.keys)
            var there: Set<String> = []
            for (session, user) in rows.places {
                for key in try await audio.keys(of: session, user: user) {
                    there.insert(key.text)
                    missing.remove(key.text)
                    guard copied[key.text] == nil else { continue }
                    let known = rows.recordings[key.text]
                    guard let file = try await copy(key, to: folder, mediaType: known?.mediaType) else {
                        missing.insert(key.text)
                        continue
                    }
                    // The file differs from its row. The manifest describes the actual file, and restoring reports the
                    // difference.
                    copied[key.text] = file
                }
            }
            if attempt < Self.mostTries, isSQLite, try await isErased(among: missing) { continue }
            for (text, file) in copied where !there.contains(text) {
                unlink("\(folder)/\(file.path)")
                copied[text] = nil
            }
            var files = copied.values.sorted { $0.path < $1.path }
            if isSQLite {
                let path = "\(folder)/\(BackupManifest.databaseName)"
                try PrivateFile.synchronize(path)
                let found = try PrivateFile.digest(path)
                files.insert(
                    .init(path: BackupManifest.databaseName, bytes: found.byteCount, sha256: found.sha256), at: 0)
            }
            let manifest = BackupManifest(
                database: isSQLite ? .sqlite : .postgresql, step: step, sessions: rows.sessions, files: files,
                missing: missing.sorted())
            try PrivateFile.anchor(folder)
            try manifest.write(to: folder)
            return manifest
        }
        fatalError("the loop ends")
    }

    private struct Rows {
        /// The sessions under which sound may be stored.
        var places: [(session: UUID, user: UUID)]
        var recordings: [String: (sha256: String, mediaType: String)]
        var sessions: Int
    }

    /// Returns the rows of the copy. For PostgreSQL, the current rows.
    private func rows(in folder: String) async throws -> Rows {
        guard isSQLite else { return try await Self.rows(of: store) }
        let path = "\(folder)/\(BackupManifest.databaseName)"
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        try await store.backUp(to: path)
        let copy = try ExamDatabase.sqlite(path: path)
        let rows = try await Self.rows(of: copy)
        await copy.close()
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        return rows
    }

    private static func rows(of store: ExamDatabase) async throws -> Rows {
        let holders = try await store.service.holders()
        return Rows(
            places: holders.sessions + holders.profiles.map { (AudioKey.profile(of: $0), $0) },
            recordings: try await store.service.recordingKeys(), sessions: holders.sessions.count)
    }

    /// Returns whether one of these recordings is missing because it was erased after the database was copied.
    private func isErased(among missing: Set<String>) async throws -> Bool {
        guard !missing.isEmpty else { return false }
        let now = try await store.service.recordingKeys()
        return missing.contains { now[$0] == nil }
    }

    /// Copies a recording.
    ///
    /// - Returns: nil if it was erased meanwhile.
    private func copy(
        _ key: AudioKey, to folder: String, mediaType: String?
    ) async throws -> BackupManifest.File? {
        let path = "\(BackupManifest.audioName)/\(key.text)"
        let place = "\(folder)/\(path)"
        do {
            let found = try await FetchedFile.fetch(key, from: audio, to: place)
            try PrivateFile.synchronize(place)
            return .init(path: path, bytes: found.byteCount, sha256: found.sha256, mediaType: mediaType)
        } catch let error as AudioStoreError where error.kind == .missing {
            unlink(place)
            return nil
        }
    }
}

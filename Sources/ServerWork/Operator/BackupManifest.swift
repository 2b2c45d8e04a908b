import Foundation
import RecordingStores
package import SystemSupport

/// The contents of a backup. It is written last, so an interrupted backup has no manifest.
package struct BackupManifest: Codable, Sendable {
    package struct File: Codable, Sendable, Equatable {
        /// The path in the backup's folder: `oracy.sqlite`, `audio/USER/SESSION/NAME`.
        package var path: String
        package var bytes: Int
        package var sha256: String
        /// A recording's media type. Nil if no row states it.
        package var mediaType: String?
    }

    package enum Database: String, Codable, Sendable { case sqlite, postgresql }

    package var version = 1
    package var madeAt: String
    package var oracy: String
    package var database: Database
    /// The number of the last migration step of the database.
    package var step: Int
    package var sessions: Int
    package var files: [File]
    /// The recordings named by rows that were missing in storage when the backup was made.
    package var missing: [String]

    static let name = "manifest.json"
    static let databaseName = "oracy.sqlite"
    /// The file of `pg_dump`, which has PostgreSQL's rows. It is written before the manifest, which does not name it.
    package static let dumpName = "oracy.dump"
    static let audioName = "audio"

    func write(to folder: String) throws(Problem) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // JSON can always represent a manifest: it contains only strings and numbers.
        let bytes = (try? encoder.encode(self)).map { Array($0) } ?? []
        try PrivateFile.replace("\(folder)/\(Self.name)", with: bytes)
    }

    /// Reads a backup's manifest and compares all files with it.
    ///
    /// - Throws: `Problem`: `missing` if the folder does not exist, `malformed` if the backup is incomplete or was
    ///   changed.
    package init(checking folder: String) throws(Problem) {
        let path = "\(folder)/\(Self.name)"
        guard FileFacts(at: folder) != nil else { throw Problem(.missing, "\(folder): there is no such folder") }
        guard FileFacts(at: path) != nil else {
            throw Problem(.malformed, "\(folder): is an incomplete backup without \(Self.name), which is written last")
        }
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(PrivateFile.read(path))), read.version == 1
        else { throw Problem(.malformed, "\(path): is not the manifest of a backup that this version can read") }
        self = read
        for file in files {
            guard file.path == Self.databaseName || AudioKey.inBackup(file.path) != nil else {
                throw Problem(.malformed, "\(path): names a file that no backup has; take another backup")
            }
            let there = "\(folder)/\(file.path)"
            guard FileFacts(at: there)?.isFile == true else {
                throw Problem(.malformed, "\(there): is missing from the backup; take another backup")
            }
            let found = try PrivateFile.digest(there)
            guard found == (file.bytes, file.sha256) else {
                throw Problem(.malformed, "\(there): is not what was backed up; take another backup")
            }
        }
        let known = Set(files.map(\.path))
        guard database != .sqlite || known.contains(Self.databaseName) else {
            throw Problem(.malformed, "\(path): does not name \(Self.databaseName); take another backup")
        }
        guard database != .postgresql || FileFacts(at: "\(folder)/\(Self.dumpName)")?.isFile == true else {
            throw Problem(
                .malformed,
                "\(folder)/\(Self.dumpName): is missing from the backup; put pg_dump's file there, or take another backup"
            )
        }
        let audio = (try? FileManager.default.subpathsOfDirectory(atPath: "\(folder)/\(Self.audioName)")) ?? []
        for name in audio.map({ "\(Self.audioName)/\($0)" }) where AudioKey.inBackup(name) != nil {
            guard known.contains(name) else {
                throw Problem(.malformed, "\(folder)/\(name): was added to the backup; take another backup")
            }
        }
    }

    init(
        database: Database, step: Int, sessions: Int, files: [File], missing: [String], at moment: WallTime = .now
    ) {
        (madeAt, oracy) = (moment.utc, OracyVersion.text)
        (self.database, self.step, self.sessions) = (database, step, sessions)
        (self.files, self.missing) = (files, missing)
    }
}

extension AudioKey {
    /// Returns the storage key of a backup's file. Nil if the path is not a recording's.
    static func inBackup(_ path: String) -> AudioKey? {
        guard path.hasPrefix("\(BackupManifest.audioName)/") else { return nil }
        return AudioKey(String(path.dropFirst(BackupManifest.audioName.count + 1)))
    }
}

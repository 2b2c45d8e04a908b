package import ExamStore
package import Foundation
package import RecordingStores
import SystemSupport

/// Everything that a server stores about one user, in a folder of files that can be read without the server: rows as
/// JSON, the contents of exams, and sound.
///
/// ```
/// export.json               the user, the time of the export, the number of rows of each kind, and the missing files
/// records/answers.json …    rows of the database by kind, as they stand there
/// sessions/SESSION/…        the material of each exam, and its log, line by line (`log.jsonl`)
/// audio/SESSION/…           recordings, and the profile's picture
/// ```
/// Only their owner can read the files. The store may be in use.
package struct UserExport {
    private let store: ServiceStore
    private let audio: any AudioStore

    package init(of store: ExamDatabase, _ audio: any AudioStore) {
        self.store = store.service
        self.audio = audio
    }

    /// A summary of the export.
    package struct Written: Encodable, Sendable {
        package var user: String
        package var madeAt: String
        package var oracy: String
        /// The number of rows by kind.
        package var records: [String: Int]
        package var audioFiles = 0
        package var audioBytes = 0
        /// The recordings that rows name but storage does not have.
        package var missing: [String] = []
    }

    /// Writes the export.
    ///
    /// - Parameter folder: a folder that is empty or missing.
    /// - Throws: `Problem`: `missing` if nothing is stored about the user, `occupied`, `unwritable`. `StoreError`,
    ///   `AudioStoreError`.
    package func write(of user: UUID, to folder: String) async throws -> Written {
        let counts = try await store.held(of: user)
        guard !counts.isEmpty else { throw Problem(.missing, "nothing is stored of \(user.name); check the id") }
        try EmptyFolder.make(folder)
        var written = Written(
            user: user.name, madeAt: WallTime.now.utc, oracy: OracyVersion.text, records: [:])
        try PrivateFile.createFolder(folder + "/records")
        for kind in HeldKind.all {
            let rows = try await store.rows(of: kind, of: user)
            guard !rows.isEmpty else { continue }
            written.records[kind.name] = rows.count
            try Self.write(rows, of: kind, in: folder)
            if kind.name == "log" { try Self.writeLogs(rows, in: folder) }
        }
        try await writeAudio(of: user, to: folder + "/audio", &written)
        let facts = try JSONEncoder().encode(written)
        try Self.write(JSONSerialization.jsonObject(with: facts), to: folder + "/export.json")
        return written
    }

    // MARK: - Rows

    /// Columns with JSON as text, or lines of it. The file contains them as JSON values.
    private static let documents: Set = [
        "peaks", "record", "mistakes", "azure_response", "result", "detail", "draft", "sheet", "document", "request",
        "writing", "paper", "shortfalls", "line", "answer",
    ]

    // Swift 6.3's optimiser crashes if this is part of an asynchronous function.
    @inline(never) private static func write(_ rows: [HeldRow], of kind: HeldKind, in folder: String) throws {
        let objects = try rows.map { try object(of: $0, in: folder) }
        try write(objects, to: "\(folder)/records/\(kind.name).json")
    }

    /// Writes logs line by line, exactly as they were stored, since seals cover these lines.
    private static func writeLogs(_ rows: [HeldRow], in folder: String) throws {
        var logs: [String: [(number: Int, line: String)]] = [:]
        for row in rows {
            guard case .text(let session)? = row.values["test_session_id"],
                case .integer(let number)? = row.values["number"], case .text(let line)? = row.values["line"]
            else { continue }
            logs[session.lowercased(), default: []].append((number, line))
        }
        for (session, lines) in logs {
            let text = lines.sorted { $0.number < $1.number }.map { $0.line + "\n" }.joined()
            try PrivateFile.createFolder("\(folder)/sessions/\(session)")
            try PrivateFile.replace("\(folder)/sessions/\(session)/log.jsonl", with: Array(text.utf8))
        }
    }

    /// Returns a row as a JSON object. Its bytes become files of their own.
    private static func object(of row: HeldRow, in folder: String) throws -> [String: Any] {
        var object: [String: Any] = [:]
        for (column, value) in row.values {
            object[column] =
                switch value {
                case .null: NSNull()
                case .text(let text): documents.contains(column) ? json(text) : text
                case .integer(let number): number
                case .real(let number): number
                case .bool(let bool): bool
                case .bytes(let bytes): try file(bytes, of: row, in: folder)
                }
        }
        return object
    }

    private static func json(_ text: String) -> Any {
        // One of these columns also exists with plain text, for example a paper's name. A text that is not an object or
        // array stays a text.
        guard let first = text.first, "{[".contains(first),
            let value = try? JSONSerialization.jsonObject(with: Data(text.utf8))
        else { return text }
        return value
    }

    /// Writes bytes to a file.
    ///
    /// - Returns: the file's path.
    private static func file(_ bytes: [UInt8], of row: HeldRow, in folder: String) throws -> String {
        guard case .text(let session)? = row.values["test_session_id"], case .text(let name)? = row.values["name"],
            AudioKey("u/\(session)/\(name)") != nil
        else { return Data(bytes).base64EncodedString() }
        let path = "sessions/\(session)/\(name)"
        try PrivateFile.createFolder("\(folder)/sessions/\(session)")
        try PrivateFile.replace("\(folder)/\(path)", with: bytes)
        return path
    }

    private static func write(_ value: Any, to path: String) throws {
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try PrivateFile.replace(path, with: Array(JSONSerialization.data(withJSONObject: value, options: options)))
    }

    // MARK: - Sound

    private func writeAudio(of user: UUID, to folder: String, _ written: inout Written) async throws {
        let named = try await store.recordingKeys().filter { AudioKey($0.key)?.user == user }
        let sessions = try await store.holders().sessions.filter { $0.user == user }.map(\.session)
        var missing = Set(named.keys)
        for session in sessions + [AudioKey.profile(of: user)] {
            let keys = try await audio.keys(of: session, user: user)
            guard !keys.isEmpty else { continue }
            let isProfile = session == AudioKey.profile(of: user)
            let place = "\(folder)/\(isProfile ? "profile" : session.name)"
            try PrivateFile.createFolder(place)
            for key in keys {
                let suffix = named[key.text].flatMap { AudioMediaType($0.mediaType)?.suffix } ?? ""
                let name = key.text.split(separator: "/").last! + suffix
                let fetched = try await FetchedFile.fetch(key, from: audio, to: "\(place)/\(name)")
                written.audioFiles += 1
                written.audioBytes += fetched.byteCount
                missing.remove(key.text)
            }
        }
        written.missing = missing.sorted()
    }
}

/// A folder without contents.
enum EmptyFolder {
    /// Creates the folder if necessary, for its owner only.
    ///
    /// - Parameter allowed: names that it may contain nevertheless.
    /// - Throws: `Problem`: `occupied` if it contains anything else, `unwritable`.
    static func make(_ folder: String, allowing allowed: Set<String> = []) throws(Problem) {
        try PrivateFile.createFolder(folder)
        let there = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard Set(there).isSubset(of: allowed) else {
            throw Problem(.occupied, "\(folder): is not empty; name an empty or new folder")
        }
    }
}

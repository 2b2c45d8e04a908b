import Foundation
import GRDB
import Glibc
import SystemSupport

/// The recovery of a damaged journal.
public struct JournalRecovery: Equatable, Sendable {
    /// The path of the damaged journal, kept for inspection.
    public var keptAside: String
    /// The number of uploads that could be read and were copied.
    public var recovered: Int
}

/// Opens journals and recovers damaged ones: sets the damaged journal aside, and copies its intact lines to a new one.
///
/// The uploads of unreadable lines are enqueued again from the sessions' own folders (`SessionDelivery`): a queue never
/// has the only copy of anything. A program that is killed in the middle leaves a `journal.broken.sqlite`, and the next
/// program continues.
enum DamagedJournal {
    static func open(_ folder: String) throws(Problem) -> (Journal, JournalRecovery?) {
        if let journal = try openWhole(folder) { return (journal, nil) }
        // Keep other programs from sending its uploads meanwhile.
        let lock = try SenderLock(folder: folder)
        defer { withExtendedLifetime(lock) {} }
        // Another program may have recovered it by now.
        if let journal = try openWhole(folder) { return (journal, nil) }
        try setAside(folder)
        let journal = try Journal(folder: folder)
        let recovered = try journal.takeOver(
            rows("SELECT \(Journal.uploadColumns), session, state, note FROM upload", of: broken(folder)),
            of: rows("SELECT \(Journal.sessionColumns), number FROM session", of: broken(folder)))
        return (journal, JournalRecovery(keptAside: try keepAside(folder), recovered: recovered))
    }

    /// The prefix of the names of journals that were set aside.
    static let aside = "journal.damaged-"

    private static func broken(_ folder: String) -> String { folder + "/journal.broken.sqlite" }

    /// Opens an intact journal; nil if it is damaged, or if not all lines of a damaged one have been copied yet.
    private static func openWhole(_ folder: String) throws(Problem) -> Journal? {
        guard access(broken(folder), F_OK) != 0 else { return nil }
        do throws(Problem) {
            return try Journal(folder: folder)
        } catch {
            guard error.kind == .malformed, isDamaged(folder + "/journal.sqlite") else { throw error }
            return nil
        }
    }

    /// Returns whether a journal is damaged. A journal of a newer version is not damaged, and must not be touched:
    /// SQLite can read its version in the header.
    private static func isDamaged(_ path: String) -> Bool {
        guard let database = try? reader(path) else { return true }
        defer { try? database.close() }
        let version = try? database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
        return version.flatMap(\.self).map { $0 <= Journal.layoutVersion } ?? true
    }

    /// Makes room for a new journal. If a program was killed in this function before, a write-ahead log may be left
    /// without its database. It then belongs to the damaged journal.
    private static func setAside(_ folder: String) throws(Problem) {
        let (journal, broken) = (folder + "/journal.sqlite", broken(folder))
        if access(broken, F_OK) != 0 { try move(journal, to: broken) }
        if access(journal, F_OK) != 0 {
            for ending in ["-wal", "-shm"] { try move(journal + ending, to: broken + ending) }
        }
        try PrivateFile.synchronize(folder)
    }

    /// - Returns: The new path.
    private static func keepAside(_ folder: String) throws(Problem) -> String {
        var number = 1
        while access("\(folder)/\(aside)\(number).sqlite", F_OK) == 0 { number += 1 }
        let kept = "\(folder)/\(aside)\(number).sqlite"
        // The database comes last, because its presence shows that lines may be missing.
        for ending in ["-wal", "-shm", ""] { try move(broken(folder) + ending, to: kept + ending) }
        try PrivateFile.synchronize(folder)
        return kept
    }

    private static func move(_ path: String, to other: String) throws(Problem) {
        guard rename(path, other) == 0 || errno == ENOENT else { throw PrivateFile.unwritable(other) }
    }

    /// Returns all lines that can be read, from both ends towards the damage.
    ///
    /// - Throws: `Problem.unwritable` if anything other than damage ends the reading. Otherwise lines would look lost
    ///   because a disk was full or failed for a moment.
    private static func rows(_ sql: String, of path: String) throws(Problem) -> [Row] {
        var lines: [Row] = []
        for order in ["number", "number DESC"] {
            var found: [Row] = []
            try Journal.telling(path) {
                do {
                    let damaged = try reader(path)
                    defer { try? damaged.close() }
                    try damaged.read { database in
                        let rows = try Row.fetchCursor(database, sql: "\(sql) NOT INDEXED ORDER BY \(order)")
                        while let row = try rows.next() { found.append(row.copy()) }
                    }
                } catch let error as DatabaseError where !troubles.contains(error.resultCode) {
                    // Reads as far as possible.
                }
            }
            lines += order == "number" ? found : found.reversed()
        }
        return lines
    }

    private static let troubles: [ResultCode] = [
        .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_NOMEM, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_READONLY,
        .SQLITE_PERM,
    ]

    private static func reader(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}

extension Journal {
    /// Copies the intact lines of a damaged journal with their states. Existing lines stay as they are. All lines or
    /// none are copied: a kill in between must not turn a dropped upload into a waiting one.
    ///
    /// - Returns: The number of lines.
    fileprivate func takeOver(_ lines: [Row], of sessions: [Row]) throws(Problem) -> Int {
        let known = sessions.compactMap { row in
            Self.session(in: row).map { (row.value("number") as Int64?, $0) }
        }
        let sessions = Dictionary(known) { first, _ in first }
        return try write { database in
            var seen: Set<UUID> = []
            for line in lines {
                guard let session = sessions[line.value("session")],
                    let upload = Self.upload(in: line, at: 0, of: session), seen.insert(upload.id).inserted,
                    let item = try Self.insert(upload, into: database)
                else { continue }
                let state = line.value("state").flatMap(UploadEntry.State.init) ?? .waiting
                try database.execute(
                    sql: "UPDATE upload SET state = ?, note = ? WHERE number = ?",
                    arguments: [
                        state == .sending ? UploadEntry.State.waiting.rawValue : state.rawValue,
                        line.value("note") as String?,
                        item.number,
                    ])
            }
            return seen.count
        }
    }
}

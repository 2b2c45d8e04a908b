import Foundation
import GRDB
import Glibc
import SystemSupport

/// Operations on a journal for people and for the queue's owner.
extension Journal {
    func entries() throws(Problem) -> [UploadEntry] {
        let boot = SteadyClock.boot
        return try read { database in
            let rows = try Row.fetchCursor(
                database, sql: "SELECT \(Self.whole), upload.* FROM \(Self.joined) ORDER BY upload.number")
            var entries: [UploadEntry] = []
            while let row = try rows.next() { entries.append(Self.entry(row, boot: boot)) }
            return entries
        }
    }

    private static func entry(_ row: Row, boot: String) -> UploadEntry {
        var failure: DeliveryFailure?
        if let kind = row.value("kind").flatMap(DeliveryFailure.Kind.init) {
            failure = DeliveryFailure(kind, code: row.value("code") ?? "", message: row.value("words") ?? "")
        }
        return UploadEntry(
            upload: upload(in: row),
            id: row.value("id").flatMap(UUID.init) ?? UUID(),
            state: row.value("state").flatMap(UploadEntry.State.init) ?? .waiting,
            attempts: row.value("attempts") ?? 0,
            addedAt: row.value("added") ?? "",
            endedAt: row.value("ended"),
            due: row.value("boot") == boot ? row.value("due").map { .milliseconds($0) } : nil,
            failure: failure
        )
    }

    func knows(_ id: UUID) throws(Problem) -> Bool {
        try read { database in
            let find = try database.cachedStatement(sql: "SELECT 1 FROM upload WHERE id = ?")
            return try Int.fetchOne(find, arguments: [id.uuidString]) != nil
        }
    }

    func counts() throws(Problem) -> UploadCounts {
        try read { database in
            var counts = UploadCounts()
            for row in try Row.fetchAll(
                database, sql: "SELECT state, count(*) AS n, sum(bytes) AS bytes FROM upload GROUP BY state")
            {
                let n = row.value("n") ?? 0
                switch row.value("state").flatMap(UploadEntry.State.init) {
                case .waiting, .sending:
                    counts.open += n
                    counts.openBytes += row.value("bytes") ?? 0
                case .parked: counts.parked += n
                case .delivered: counts.delivered += n
                case .dropped: counts.dropped += n
                case nil: break
                }
            }
            return counts
        }
    }

    /// Returns the bytes of recordings that are neither delivered nor dropped.
    func waitingBytes() throws(Problem) -> Int {
        try read { database in
            try Int.fetchOne(
                database, sql: "SELECT sum(bytes) FROM upload WHERE state IN ('waiting', 'sending', 'parked')") ?? 0
        }
    }

    func retry(_ ids: [UUID]?) throws(Problem) -> Int {
        try change(
            "UPDATE upload SET state = 'waiting', attempts = 0, due = NULL, troubled = NULL WHERE state IN ('waiting', 'parked')",
            ids)
    }

    func wake() throws(Problem) {
        _ = try change("UPDATE upload SET due = NULL WHERE state = 'waiting'", nil)
    }

    func drop(_ ids: [UUID]) throws(Problem) -> Int {
        try change(
            "UPDATE upload SET state = 'dropped', note = NULL WHERE state IN ('waiting', 'sending', 'parked')", ids)
    }

    private func change(_ sql: String, _ ids: [UUID]?) throws(Problem) -> Int {
        try write { database in
            guard let ids else {
                try database.execute(sql: sql)
                return database.changesCount
            }
            var count = 0
            for id in ids {
                try database.execute(sql: sql + " AND id = ?", arguments: [id.uuidString])
                count += database.changesCount
            }
            return count
        }
    }

    func forget(session: UUID) throws(Problem) -> Int {
        let count = try write { database in
            let id = session.uuidString
            try database.execute(
                sql: "DELETE FROM upload WHERE session = (SELECT number FROM session WHERE id = ?)", arguments: [id])
            let count = database.changesCount
            try database.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [id])
            return count
        }
        // Deleted lines are overwritten (secure_delete), but the write-ahead log still contains them.
        try checkpoint()
        // A damaged journal that was set aside may contain them too.
        let folder = path.folder
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix(DamagedJournal.aside) {
            guard unlink("\(folder)/\(name)") == 0 else { throw PrivateFile.unwritable("\(folder)/\(name)") }
        }
        return count
    }

    private func checkpoint() throws(Problem) {
        try unlocked { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    // MARK: Files that are removed after delivery

    /// Removes the file of a delivered upload, if it should be removed. Call it when the line on disk already says
    /// `delivered`.
    func removeFile(of number: Int64) throws(Problem) {
        let file = try read { database -> UploadFile? in
            let find = try database.cachedStatement(
                sql: "SELECT \(Self.whole) FROM \(Self.joined) WHERE upload.number = ? AND leftover")
            return try Row.fetchOne(find, arguments: [number]).flatMap { Self.upload(in: $0)?.file }
        }
        if let file { try remove(file, of: number) }
    }

    /// Removes files of delivered uploads that stayed because of a kill or a power cut.
    func removeLeftovers() throws(Problem) {
        let left = try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(Self.whole), upload.number AS line FROM \(Self.joined)
                    WHERE leftover AND state = 'delivered'
                    """
            )
            .map { ($0["line"] as Int64, Self.upload(in: $0)?.file) }
        }
        for (number, file) in left { if let file { try remove(file, of: number) } }
    }

    /// Removes a file. The line is updated only when the removal of the name is on disk, since a power cut could bring
    /// the name back. If removing fails, the next start tries again.
    private func remove(_ file: UploadFile, of number: Int64) throws(Problem) {
        guard unlink(file.path) == 0 || errno == ENOENT else { return }
        guard access(file.path.folder, F_OK) != 0 || (try? PrivateFile.synchronize(file.path.folder)) != nil else {
            return
        }
        try write { try $0.execute(sql: "UPDATE upload SET leftover = 0 WHERE number = ?", arguments: [number]) }
    }
}

import ExamKit
import GRDB
import Glibc

/// What became of a damaged journal.
public struct JournalRecovery: Equatable, Sendable {
    /// Where the damaged one lies, for whoever wants to look.
    public var keptAside: String
    /// Uploads that could be read and were taken over.
    public var recovered: Int
}

/// Opens journals, and helps where one is damaged: it is kept aside, and whole lines are copied to a new one.
///
/// What cannot be read is enqueued again from the sessions' own folders (`SessionDelivery`): a queue never has the only copy of
/// anything.
enum DamagedJournal {
    static func open(_ folder: String) throws(Problem) -> (Journal, JournalRecovery?) {
        do throws(Problem) {
            return (try Journal(folder: folder), nil)
        } catch {
            guard error.kind == .malformed, isDamaged(folder + "/journal.sqlite") else { throw error }
        }
        // Nobody may be sending from it meanwhile.
        let lock = try SenderLock(folder: folder)
        defer { withExtendedLifetime(lock) {} }
        let aside = try setAside(folder)
        let journal = try Journal(folder: folder)
        let recovered = try copy(from: aside, to: journal)
        return (journal, JournalRecovery(keptAside: aside, recovered: recovered))
    }

    /// A newer version's journal is none of ours to touch: it says so in a header that SQLite can read.
    private static func isDamaged(_ path: String) -> Bool {
        guard let database = try? reader(path) else { return true }
        defer { try? database.close() }
        let version = try? database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
        return version.flatMap(\.self).map { $0 <= Journal.layoutVersion } ?? true
    }

    private static func setAside(_ folder: String) throws(Problem) -> String {
        var number = 1
        while access("\(folder)/journal.damaged-\(number).sqlite", F_OK) == 0 { number += 1 }
        let aside = "\(folder)/journal.damaged-\(number).sqlite"
        // The database last: until it is gone, a kill leaves a journal that is found damaged again.
        for ending in ["-wal", "-shm", ""] where access("\(folder)/journal.sqlite\(ending)", F_OK) == 0 {
            guard rename("\(folder)/journal.sqlite\(ending)", aside + ending) == 0 else {
                throw PrivateFile.unwritable(aside)
            }
        }
        try PrivateFile.synchronize(folder)
        return aside
    }

    /// Copies what proves itself whole, from both ends towards the damage.
    private static func copy(from path: String, to journal: Journal) throws(Problem) -> Int {
        guard let damaged = try? reader(path) else { return 0 }
        defer { try? damaged.close() }
        var seen: Set<String> = []
        for order in ["number", "number DESC"] {
            // One line a transaction would take long; all at once would lose what was read before the damage.
            var lines: [Row] = []
            try? damaged.read { database in
                let rows = try Row.fetchCursor(database, sql: "SELECT * FROM upload NOT INDEXED ORDER BY \(order)")
                while let row = try rows.next() { lines.append(row.copy()) }
            }
            for line in order == "number" ? lines : lines.reversed() {
                guard let id: String = line.value("id"), !seen.contains(id) else { continue }
                if try journal.takeOver(line) { seen.insert(id) }
            }
        }
        return seen.count
    }

    private static func reader(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}

extension Journal {
    /// Takes over a line of a damaged journal if it is whole, with what is known of its fate.
    fileprivate func takeOver(_ line: Row) throws(Problem) -> Bool {
        guard let upload = Self.upload(in: line) else { return false }
        let state = line.value("state").flatMap(UploadEntry.State.init) ?? .waiting
        guard let number = try add([upload]).first?.number else { return true }
        try write { database in
            try database.execute(
                sql: "UPDATE upload SET state = ?, note = ? WHERE number = ?",
                arguments: [
                    state == .sending ? UploadEntry.State.waiting.rawValue : state.rawValue,
                    line.value("note") as String?,
                    number,
                ])
        }
        return true
    }
}

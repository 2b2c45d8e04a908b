import Foundation
import GRDB
import Glibc
import SystemSupport

/// The queue on disk: one line for each upload, in SQLite.
///
/// Write-ahead log and `synchronous=FULL`: a transaction that was committed is there after a power cut. Several processes may have it
/// open: an exam adds while a tool lists; one of them sends (`SenderLock`). Calls block for as long as the disk takes, some 4 ms;
/// any thread may make them.
final class Journal: Sendable {
    /// The version of the tables, in `user_version`.
    static let layoutVersion = 3

    let path: String
    private let database: DatabaseQueue
    /// Which start of the machine moments are counted from.
    private let boot = SteadyClock.boot

    /// Opens or makes the journal in a folder.
    ///
    /// - Throws: `Problem`: `malformed` where it was written by a newer version (nothing is touched) or is damaged
    ///   (`DamagedJournal` helps); `unwritable`.
    init(folder: String) throws(Problem) {
        path = folder + "/journal.sqlite"
        try PrivateFile.createFolder(folder)
        // SQLite gives its other files the mode of this one. It is made without being opened: to close it would take away the locks
        // that this process has on it already (sqlite.org/howtocorrupt.html, 2.2).
        guard mknod(path, S_IFREG | 0o600, 0) == 0 || errno == EEXIST else { throw PrivateFile.unwritable(path) }
        // A database becomes one with a write-ahead log only while nobody else looks, and SQLite does not wait for that.
        let door = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if door >= 0 { Glibc.close(door) } }
        while door >= 0, flock(door, LOCK_EX) != 0, errno == EINTR {}
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        // A line is only written where its session's is (`insertUpload`).
        configuration.foreignKeysEnabled = false
        let path = path
        database = try Self.telling(path) { try DatabaseQueue(path: path, configuration: configuration) }
        try prepare()
        try PrivateFile.anchor(folder)
    }

    private func prepare() throws(Problem) {
        let path = path
        try Self.telling(path) {
            try database.writeWithoutTransaction { database in
                // Before anything is changed.
                try Self.checkVersion(in: database, path: path)
                // GRDB would set NORMAL with it, and NORMAL loses what was committed last in a power cut.
                guard try String.fetchOne(database, sql: "PRAGMA journal_mode=WAL") == "wal" else {
                    throw Problem(.unwritable, "\(path): the disk has no room for its write-ahead log")
                }
                try database.execute(sql: "PRAGMA synchronous=FULL; PRAGMA secure_delete=ON")
            }
        }
        try write { database in
            let found = try Self.checkVersion(in: database, path: path)
            guard try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") == "ok" else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
            let version = try Self.upgrade(database, from: found)
            let tables = try String.fetchAll(
                database, sql: "SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
            if version == 0 && tables.isEmpty {
                try database.execute(sql: Self.tables)
                try database.execute(sql: "PRAGMA user_version=\(Self.layoutVersion)")
                return
            }
            // SQLite notices a damaged page only where its structure suffers: tables and lines prove themselves.
            let expected = Self.tables.split(separator: ";").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            guard version == Self.layoutVersion, Set(tables) == Set(expected), try Self.linesAreWhole(in: database)
            else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a checksum differs")
            }
        }
    }

    @discardableResult
    private static func checkVersion(in database: Database, path: String) throws -> Int {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard version <= layoutVersion else {
            throw Problem(
                .malformed,
                "\(path): was written by a newer version of oracy (layout \(version), this one knows \(layoutVersion)): "
                    + "update oracy; nothing was touched")
        }
        return version
    }

    private static func linesAreWhole(in database: Database) throws -> Bool {
        let sessions = try Row.fetchCursor(database, sql: "SELECT \(sessionColumns) FROM session")
        while let row = try sessions.next() {
            if session(in: row) == nil { return false }
        }
        // Without making an upload of each: ten thousand may wait.
        let uploads = try Row.fetchCursor(database, sql: "SELECT session.number, \(uploadColumns) FROM \(joined)")
        while let row = try uploads.next() {
            guard let session: Int64 = row.value(at: 0), isWhole(row, at: 1, of: session) else { return false }
        }
        return true
    }

    static let tables = """
        CREATE TABLE session (
          number INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE,
          name TEXT NOT NULL,
          format TEXT NOT NULL,
          paper TEXT NOT NULL,
          started TEXT NOT NULL,
          checksum INTEGER NOT NULL
        );
        CREATE TABLE upload (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          id TEXT NOT NULL UNIQUE,
          session INTEGER NOT NULL,
          stage INTEGER NOT NULL,
          answer TEXT,
          path TEXT,
          bytes INTEGER NOT NULL,
          sha256 TEXT,
          media TEXT,
          goes INTEGER NOT NULL,
          completed TEXT,
          outcome TEXT,
          answers INTEGER,
          checksum INTEGER NOT NULL,
          leftover INTEGER NOT NULL,
          added TEXT NOT NULL,
          state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sending', 'delivered', 'parked', 'dropped')),
          attempts INTEGER NOT NULL DEFAULT 0,
          due INTEGER,
          troubled INTEGER,
          boot TEXT,
          kind TEXT,
          code TEXT,
          words TEXT,
          note TEXT,
          ended TEXT
        );
        CREATE INDEX upload_by_session ON upload (session, stage, number);
        CREATE INDEX upload_open ON upload (number) WHERE state IN ('waiting', 'sending', 'parked');
        CREATE INDEX upload_leftover ON upload (number) WHERE leftover;
        """

    // MARK: Adding

    /// Adds uploads that are not there yet, all or none; on disk when it returns.
    ///
    /// - Returns: the new ones, for the machine.
    func add(_ uploads: [Upload]) throws(Problem) -> [Delivery.Item] {
        // A statement is a transaction of its own, and nearly always all there is to do.
        if uploads.count == 1, let item = try unlocked({ try Self.insertLine(uploads[0], into: $0) }) { return [item] }
        return try write { database in try uploads.compactMap { try Self.insert($0, into: database) } }
    }

    /// - Returns: nil where it is there already.
    static func insert(_ upload: Upload, into database: Database) throws -> Delivery.Item? {
        let insert = try database.cachedStatement(sql: insertSession)
        try insert.bind([upload.session.number.databaseValue] + values(of: upload.session))
        try insert.execute()
        return try insertLine(upload, into: database)
    }

    /// - Returns: nil where it is there already, or its session is not.
    private static func insertLine(_ upload: Upload, into database: Database) throws -> Delivery.Item? {
        let (session, file) = (upload.session.number, upload.file)
        var values = values(of: upload)
        values.append((file?.goesWhenDelivered ?? false).databaseValue)
        values.append(WallTime.now.utc.databaseValue)
        values.append(session.databaseValue)
        let insert = try database.cachedStatement(sql: insertUpload)
        try insert.bind(values)
        try insert.execute()
        guard database.changesCount > 0 else { return nil }
        return Delivery.Item(
            number: database.lastInsertedRowID, session: session, stage: upload.stage, byteCount: file?.byteCount ?? 0)
    }

    private static let insertSession =
        "INSERT OR IGNORE INTO session (number, id, name, format, paper, started, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)"

    private static let insertUpload = """
        INSERT OR IGNORE INTO upload (
          id, stage, answer, path, bytes, sha256, media, goes,
          completed, outcome, answers, checksum, leftover, added, session)
        SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, number FROM session WHERE number = ?
        """

    // MARK: The machine's lines

    /// All that is neither delivered nor dropped.
    func undelivered() throws(Problem) -> [Delivery.Item] {
        let boot = boot
        return try read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT number, session, stage, bytes, state, attempts, due, troubled, boot FROM upload
                    WHERE state IN ('waiting', 'sending', 'parked') ORDER BY number
                    """)
            var items: [Delivery.Item] = []
            while let row = try rows.next() {
                guard let number: Int64 = row.value("number"), let session: Int64 = row.value("session") else {
                    continue
                }
                items.append(
                    Delivery.Item(
                        number: number, session: session,
                        stage: row.value("stage").flatMap(Upload.Stage.init) ?? .answer,
                        byteCount: row.value("bytes") ?? 0, record: Self.record(row, boot: boot)))
            }
            return items
        }
    }

    /// Moments of another start of the machine are none of this one's: what waited then has waited enough.
    private static func record(_ row: Row, boot: String) -> Delivery.Record {
        var record = Delivery.Record(attempts: row.value("attempts") ?? 0)
        let isOfNow = row.value("boot") == boot
        switch row.value("state") ?? "" {
        case "sending": record.state = .sending
        case "parked": record.state = .parked
        default: record.state = .waiting(until: isOfNow ? row.value("due").map { .milliseconds($0) } : nil)
        }
        if isOfNow { record.troubledSince = row.value("troubled").map { .milliseconds($0) } }
        return record
    }

    /// What changed, in one transaction; on disk when it returns.
    ///
    /// - Parameter failures: why, for those that failed: kept for people until the upload arrives.
    func keep(_ records: [(number: Int64, record: Delivery.Record)], failures: [Int64: DeliveryFailure]) throws(Problem)
    {
        let boot = boot
        try write { database in
            for (number, record) in records {
                let (state, due) = Self.columns(of: record.state)
                let ended = state == "delivered" ? WallTime.now.utc : nil
                try database.cachedStatement(
                    sql:
                        "UPDATE upload SET state = ?, attempts = ?, due = ?, troubled = ?, boot = ?, ended = ? WHERE number = ?"
                ).execute(arguments: [
                    state, record.attempts, due, record.troubledSince.map(\.wholeMilliseconds), boot, ended, number,
                ])
                guard let failure = failures[number] else { continue }
                try database.cachedStatement(sql: "UPDATE upload SET kind = ?, code = ?, words = ? WHERE number = ?")
                    .execute(arguments: [failure.kind.rawValue, failure.code, failure.message, number])
            }
        }
    }

    private static func columns(of state: Delivery.State) -> (String, due: Int64?) {
        switch state {
        case .waiting(let until): ("waiting", until.map(\.wholeMilliseconds))
        case .sending: ("sending", nil)
        case .delivered: ("delivered", nil)
        case .parked: ("parked", nil)
        }
    }

    /// What an uploader wants to find again.
    func keep(note: String?, of number: Int64) throws(Problem) {
        try write { database in
            try database.cachedStatement(sql: "UPDATE upload SET note = ? WHERE number = ?").execute(arguments: [
                note, number,
            ])
        }
    }

    /// A number that changes when another process has written.
    func version() throws(Problem) -> Int {
        try read { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }

    // MARK: Uploads themselves

    /// An upload as it is to be sent, and its note; nil where it is gone.
    ///
    /// - Throws: `Problem.malformed` where its line is damaged.
    func upload(_ number: Int64) throws(Problem) -> (upload: Upload, note: String?)? {
        let path = path
        return try read { database in
            let find = try database.cachedStatement(
                sql: "SELECT \(Self.whole), session, note FROM \(Self.joined) WHERE upload.number = ?")
            guard let row = try Row.fetchOne(find, arguments: [number]) else { return nil }
            guard var upload = Self.upload(in: row) else {
                throw Problem(.malformed, "\(path): line \(number) is damaged")
            }
            if case .completion(var facts) = upload.content {
                facts.delivered = try Self.arrived(in: database, besides: number)
                upload.content = .completion(facts)
            }
            return (upload, row.value("note"))
        }
    }

    /// How many answers of an upload's session have arrived beside it: a question's attempts are one.
    func arrived(besides number: Int64) throws(Problem) -> Int {
        try read { try Self.arrived(in: $0, besides: number) }
    }

    private static func arrived(in database: Database, besides number: Int64) throws -> Int {
        let count = try database.cachedStatement(
            sql: """
                SELECT count(DISTINCT \(place("theirs"))) FROM upload AS own, upload AS theirs
                WHERE own.number = ? AND theirs.session = own.session AND theirs.stage = ? AND theirs.state = 'delivered'
                AND json_valid(theirs.answer) AND \(place("theirs")) IS NOT \(place("own"))
                """)
        return try Int.fetchOne(count, arguments: [number, Upload.Stage.answer.rawValue]) ?? 0
    }

    /// Part and order of an answer's line; null of any other.
    private static func place(_ line: String) -> String {
        "json_extract(\(line).answer, '$.part') || ' ' || json_extract(\(line).answer, '$.order')"
    }

    // MARK: The database

    func read<Value>(_ body: (Database) throws -> Value) throws(Problem) -> Value {
        // Each read is one statement, or nearly: a transaction of its own, and a promise not to write, would cost four more.
        try Self.telling(path) { try database.unsafeRead(body) }
    }

    func write<Value>(_ body: (Database) throws -> Value) throws(Problem) -> Value {
        try Self.telling(path) {
            try database.writeWithoutTransaction { database in
                // As `inTransaction` does, which would compile both statements each time.
                try database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
                do {
                    let value = try body(database)
                    try database.cachedStatement(sql: "COMMIT").execute()
                    return value
                } catch {
                    if database.isInsideTransaction { try? database.rollback() }
                    throw error
                }
            }
        }
    }

    /// Outside of a transaction.
    func unlocked<Value>(_ body: (Database) throws -> Value) throws(Problem) -> Value {
        try Self.telling(path) { try database.writeWithoutTransaction(body) }
    }

    /// Lets go of the files; nothing may be asked afterwards.
    func close() {
        try? database.close()
    }

    /// SQLite's errors as sentences.
    static func telling<Value>(_ path: String, _ body: () throws -> Value) throws(Problem) -> Value {
        do {
            return try body()
        } catch let problem as Problem {
            throw problem
        } catch let error as DatabaseError {
            let words = error.message ?? "\(error.resultCode)"
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB:
                throw Problem(.malformed, "\(path): the journal of uploads is damaged (\(words))")
            case .SQLITE_BUSY, .SQLITE_LOCKED: throw Problem(.unwritable, "\(path): another program keeps it locked")
            default: throw Problem(.unwritable, "\(path): \(words)")
            }
        } catch {
            throw Problem(.unwritable, "\(path): \(error)")
        }
    }
}

extension Row {
    /// A column's value; nil where there is none, or one of another kind, as a damaged line has: GRDB's own subscript would end the
    /// program.
    func value<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        (self[column] as (any DatabaseValueConvertible)?).flatMap { Value.fromDatabaseValue($0.databaseValue) }
    }

    func value<Value: DatabaseValueConvertible>(at place: Int) -> Value? {
        Value.fromDatabaseValue(self[place] as DatabaseValue)
    }
}

extension Duration {
    var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}

extension Statement {
    /// Gives a statement its values, in the order of its places, for `execute()` without arguments.
    ///
    /// `StatementArguments` copies them three times, through a key path: for a line of twenty that takes longer than SQLite does.
    fileprivate func bind(_ values: [DatabaseValue]) throws(DatabaseError) {
        setUncheckedArguments(StatementArguments())
        for (index, value) in values.enumerated() {
            let code = value.bind(to: sqliteStatement, at: CInt(index + 1))
            guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
    }
}

import Foundation
import GRDB
import Glibc
import SystemSupport

/// The queue on disk: one line for each upload, in SQLite.
///
/// With a write-ahead log and `synchronous=FULL`, a committed transaction survives a power cut. Several processes may
/// have the journal open: an exam adds while a tool lists, and one of them sends (`SenderLock`). Calls block for as
/// long as the disk takes, about 4 ms. Call it from any thread.
final class Journal: Sendable {
    /// The version of the tables, stored in `user_version`.
    static let layoutVersion = 3

    let path: String
    private let database: DatabaseQueue
    /// The id of the machine's latest start. Stored moments count from that start.
    private let boot = SteadyClock.boot

    /// Opens or creates the journal in a folder.
    ///
    /// - Throws: `Problem`: `malformed` if a newer version wrote it (nothing is touched) or it is damaged (see
    ///   `DamagedJournal`); `unwritable`.
    init(folder: String) throws(Problem) {
        path = folder + "/journal.sqlite"
        try PrivateFile.createFolder(folder)
        // SQLite gives its other files the mode of this one. `mknod` creates it without opening it, because closing it
        // would release the locks that this process already holds on it (sqlite.org/howtocorrupt.html, 2.2).
        guard mknod(path, S_IFREG | 0o600, 0) == 0 || errno == EEXIST else { throw PrivateFile.unwritable(path) }
        // Switching to a write-ahead log fails while another process reads, and SQLite doesn't wait for that.
        let door = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if door >= 0 { FileLock.end(door) } }
        while door >= 0, flock(door, LOCK_EX) != 0, errno == EINTR {}
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        // A line is written only if its session's exists (`insertUpload`).
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
                // Checked before anything is changed.
                try Self.checkVersion(in: database, path: path)
                // GRDB would also set NORMAL, which loses the last commits in a power cut.
                guard try String.fetchOne(database, sql: "PRAGMA journal_mode=WAL") == "wal" else {
                    throw Problem(
                        .unwritable, "\(path): the disk has no room for its write-ahead log; make room and try again")
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
            // SQLite notices a damaged page only if its structure suffers, so tables and lines are verified here.
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
        // This doesn't create an `Upload` for each line, since ten thousand may be waiting.
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

    /// Adds uploads that aren't there yet, all or none. They are on disk when this returns.
    ///
    /// - Returns: The new ones, for the machine.
    func add(_ uploads: [Upload]) throws(Problem) -> [Delivery.Item] {
        // A single statement is its own transaction, and is nearly always all that is needed.
        if uploads.count == 1, let item = try unlocked({ try Self.insertLine(uploads[0], into: $0) }) { return [item] }
        return try write { database in try uploads.compactMap { try Self.insert($0, into: database) } }
    }

    /// - Returns: nil if it exists already.
    static func insert(_ upload: Upload, into database: Database) throws -> Delivery.Item? {
        let insert = try database.cachedStatement(sql: insertSession)
        try insert.bind([upload.session.number.databaseValue] + values(of: upload.session))
        try insert.execute()
        return try insertLine(upload, into: database)
    }

    /// - Returns: nil if it exists already, or its session doesn't.
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

    // MARK: Lines for the machine

    /// Returns all uploads that are neither delivered nor dropped.
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

    /// Reads a record. Moments from before the machine was restarted are meaningless now, and an upload that waited
    /// then has waited long enough.
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

    /// Stores changed records in one transaction. They are on disk when this returns.
    ///
    /// - Parameter failures: The reasons of failures, kept for people until the upload arrives.
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

    /// Stores an uploader's note.
    func keep(note: String?, of number: Int64) throws(Problem) {
        try write { database in
            try database.cachedStatement(sql: "UPDATE upload SET note = ? WHERE number = ?").execute(arguments: [
                note, number,
            ])
        }
    }

    /// Returns a number that changes when another process has written.
    func version() throws(Problem) -> Int {
        try read { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }

    // MARK: Uploads

    /// Returns an upload to send, with its note; nil if it no longer exists.
    ///
    /// - Throws: `Problem.malformed` if its line is damaged.
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

    /// Returns how many other answers of an upload's session have arrived. Several attempts at a question count once.
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

    /// Returns an SQL expression for the part and order of an answer's line; null for other lines.
    private static func place(_ line: String) -> String {
        "json_extract(\(line).answer, '$.part') || ' ' || json_extract(\(line).answer, '$.order')"
    }

    // MARK: The database

    func read<Value>(_ body: (Database) throws -> Value) throws(Problem) -> Value {
        // A read is one statement, or little more. A transaction and GRDB's read-only mode would add four statements.
        try Self.telling(path) { try database.unsafeRead(body) }
    }

    func write<Value>(_ body: (Database) throws -> Value) throws(Problem) -> Value {
        try Self.telling(path) {
            try database.writeWithoutTransaction { database in
                // Like `inTransaction`, which would compile both statements each time.
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

    /// Runs work outside of a transaction.
    func unlocked<Value>(_ body: (Database) throws -> Value) throws(Problem) -> Value {
        try Self.telling(path) { try database.writeWithoutTransaction(body) }
    }

    /// Closes the files. No calls are allowed afterwards.
    func close() {
        try? database.close()
    }

    /// Converts SQLite's errors to sentences.
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
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                throw Problem(.unwritable, "\(path): another program keeps it locked; end that program and try again")
            default: throw Problem(.unwritable, "\(path): \(words)")
            }
        } catch {
            throw Problem(.unwritable, "\(path): \(error)")
        }
    }
}

extension Row {
    /// Returns a column's value; nil if it is missing or of another type, as in a damaged line. GRDB's own subscript
    /// would stop the program.
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
    /// Binds the values of a statement in order, for `execute()` without arguments.
    ///
    /// `StatementArguments` copies them three times through a key path. For a row of twenty values, that takes longer
    /// than SQLite's own work.
    fileprivate func bind(_ values: [DatabaseValue]) throws(DatabaseError) {
        setUncheckedArguments(StatementArguments())
        for (index, value) in values.enumerated() {
            let code = value.bind(to: sqliteStatement, at: CInt(index + 1))
            guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
    }
}

import GRDBSQLite

/// SQLite's own functions, the reference for the cost of the queue's transactions.
///
/// Uses the queue's own database: the same tables and indices, a write-ahead log, `synchronous=FULL`, and one
/// transaction per upload with the same statements and values.
final class BareSQLite {
    private var database: OpaquePointer?
    private var begin, commit, session, upload: OpaquePointer?

    private static let sessionColumns = "number, id, name, format, paper, started, checksum"
    private static let uploadColumns = """
        id, stage, answer, path, bytes, sha256, media, goes, completed, outcome, answers, checksum, leftover, added
        """

    init(path: String) {
        guard sqlite3_open(path, &database) == SQLITE_OK else { fail("\(path): cannot be opened") }
        sqlite3_busy_timeout(database, 10_000)
        sqlite3_exec(database, "PRAGMA synchronous=FULL; PRAGMA secure_delete=ON", nil, nil, nil)
        begin = prepare("BEGIN IMMEDIATE")
        commit = prepare("COMMIT")
        session = prepare("INSERT OR IGNORE INTO session (\(Self.sessionColumns)) VALUES (?, ?, ?, ?, ?, ?, ?)")
        let places = Array(repeating: "?", count: 14).joined(separator: ", ")
        upload = prepare(
            """
            INSERT OR IGNORE INTO upload (\(Self.uploadColumns), session) SELECT \(places), number FROM session WHERE number = ?
            """)
    }

    deinit {
        for statement in [begin, commit, session, upload] { sqlite3_finalize(statement) }
        sqlite3_close(database)
    }

    /// A line of each table in SQLite's own values.
    final class Line {
        fileprivate let session, upload: [OpaquePointer?]

        fileprivate init(_ statement: OpaquePointer?) {
            session = (0..<7).map { sqlite3_value_dup(sqlite3_column_value(statement, $0)) }
            upload = (7..<21).map { sqlite3_value_dup(sqlite3_column_value(statement, $0)) }
        }

        deinit {
            for value in session + upload { sqlite3_value_free(value) }
        }
    }

    /// Adds one upload in one transaction.
    func add(_ line: Line) {
        if insert(line) { return }
        step(begin)
        bind(session, line.session)
        step(session)
        guard insert(line) else { fail("bare SQLite: a line was there already") }
        step(commit)
    }

    private func insert(_ line: Line) -> Bool {
        bind(upload, line.upload + [line.session[0]])
        step(upload)
        return sqlite3_changes(database) > 0
    }

    /// Returns the lines that were added last, in order.
    func last(_ count: Int) -> [Line] {
        let columns = [("session", Self.sessionColumns), ("upload", Self.uploadColumns)].flatMap { table, columns in
            columns.split(separator: ", ").map { "\(table).\($0)" }
        }
        let select = prepare(
            """
            SELECT \(columns.joined(separator: ", ")) FROM upload JOIN session
            ON session.number = upload.session ORDER BY upload.number DESC LIMIT \(count)
            """)
        defer { sqlite3_finalize(select) }
        var lines: [Line] = []
        while sqlite3_step(select) == SQLITE_ROW { lines.append(Line(select)) }
        return lines.reversed()
    }

    private func prepare(_ sql: String) -> OpaquePointer? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            fail("bare SQLite: \(String(cString: sqlite3_errmsg(database)))")
        }
        return statement
    }

    private func step(_ statement: OpaquePointer?) {
        guard sqlite3_step(statement) == SQLITE_DONE else {
            fail("bare SQLite: \(String(cString: sqlite3_errmsg(database)))")
        }
        sqlite3_reset(statement)
    }

    private func bind(_ statement: OpaquePointer?, _ values: [OpaquePointer?]) {
        for (place, value) in values.enumerated() { sqlite3_bind_value(statement, Int32(place + 1), value) }
    }
}

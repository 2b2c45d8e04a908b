import GRDBSQLite

/// SQLite by its own functions: the reference for what the queue's transactions may cost.
///
/// The queue's own database, opened beside it: same tables, same indices, write-ahead log, `synchronous=FULL`, one transaction for
/// each upload with the same lines in it.
final class BareSQLite {
    private var database: OpaquePointer?
    private var begin, commit, find, session, upload: OpaquePointer?

    init(path: String) {
        guard sqlite3_open(path, &database) == SQLITE_OK else { fail("\(path): cannot be opened") }
        sqlite3_busy_timeout(database, 10_000)
        sqlite3_exec(database, "PRAGMA synchronous=FULL; PRAGMA secure_delete=ON", nil, nil, nil)
        begin = prepare("BEGIN IMMEDIATE")
        commit = prepare("COMMIT")
        find = prepare("SELECT number FROM session WHERE id = ?")
        session = prepare("INSERT INTO session (id, facts, proof) VALUES (?, ?, ?)")
        upload = prepare(
            """
            INSERT OR IGNORE INTO upload (id, session, stage, content, proof, bytes, leftover, added) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    deinit {
        for statement in [begin, commit, find, session, upload] { sqlite3_finalize(statement) }
        sqlite3_close(database)
    }

    struct Line {
        var id, session, facts, sessionProof, content, proof, added: String
        var stage, bytes: Int64
    }

    /// One upload, one transaction.
    func add(_ line: Line) {
        step(begin)
        text(find, 1, line.session)
        var number: Int64 = 0
        if sqlite3_step(find) == SQLITE_ROW {
            number = sqlite3_column_int64(find, 0)
            sqlite3_reset(find)
        } else {
            sqlite3_reset(find)
            text(session, 1, line.session)
            text(session, 2, line.facts)
            text(session, 3, line.sessionProof)
            step(session)
            number = sqlite3_last_insert_rowid(database)
        }
        text(upload, 1, line.id)
        sqlite3_bind_int64(upload, 2, number)
        sqlite3_bind_int64(upload, 3, line.stage)
        text(upload, 4, line.content)
        text(upload, 5, line.proof)
        sqlite3_bind_int64(upload, 6, line.bytes)
        sqlite3_bind_int64(upload, 7, 0)
        text(upload, 8, line.added)
        step(upload)
        step(commit)
    }

    /// The lines that were added last, in their order.
    func last(_ count: Int) -> [Line] {
        let select = prepare(
            """
            SELECT upload.id, session.id, facts, session.proof, content, upload.proof, added, stage, bytes FROM upload JOIN session
            ON session.number = upload.session ORDER BY upload.number DESC LIMIT \(count)
            """)
        defer { sqlite3_finalize(select) }
        var lines: [Line] = []
        func text(_ column: Int32) -> String { sqlite3_column_text(select, column).map { String(cString: $0) } ?? "" }
        while sqlite3_step(select) == SQLITE_ROW {
            lines.append(
                Line(
                    id: text(0), session: text(1), facts: text(2), sessionProof: text(3), content: text(4), proof: text(5),
                    added: text(6), stage: sqlite3_column_int64(select, 7), bytes: sqlite3_column_int64(select, 8)))
        }
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

    private func text(_ statement: OpaquePointer?, _ column: Int32, _ value: String) {
        // −1: SQLITE_TRANSIENT, which Swift does not see: SQLite makes its own copy.
        sqlite3_bind_text(
            statement, column, value, Int32(value.utf8.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
}

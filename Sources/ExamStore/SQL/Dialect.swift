/// The differences between the two databases. In SQL, these words are written in braces.
enum Dialect: Sendable {
    case sqlite, postgres

    private var words: [(String, String)] {
        switch self {
        case .sqlite:
            [
                ("{now}", "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')"),
                ("{today}", "strftime('%Y-%m-%dT00:00:00Z', 'now')"),
                // 2440587.5 is the Julian day of 1970-01-01 (sqlite.org/lang_datefunc.html); good to a millisecond.
                ("{seconds}", "((julianday('now') - 2440587.5) * 86400.0)"),
                // SQLite needs no locks: only one transaction writes at a time.
                ("{lock}", ""), ("{keep}", ""), ("{skip locked}", ""), ("{allowance lock}", "SELECT ? AS alone"),
                ("{uuid}", "TEXT"), ("{time}", "TEXT"), ("{json}", "TEXT"), ("{real}", "REAL"), ("{int}", "INTEGER"),
                ("{bool}", "INTEGER"), ("{bytes}", "BLOB"), ("{strict}", "STRICT"), ("{json object}", "json_object"),
                // Computed when the column is read. SQLite can add only generated columns of this kind to an existing
                // table.
                ("{derived}", "VIRTUAL"),
                // The position of the second text in the first, from 1. 0 if it is not found.
                ("{position}", "instr"), ("{separator}", "char(31)"),
            ]
        case .postgres:
            [
                ("{now}", "date_trunc('second', now())"),
                ("{today}", "date_trunc('day', now())"),  // The session's time zone is UTC.
                ("{seconds}", "extract(epoch FROM now())::double precision"),
                // `{lock}` locks a row until the end of the transaction, although other transactions may still write
                // rows that refer to it. `{keep}` only keeps the row from being deleted meanwhile.
                ("{lock}", "FOR NO KEY UPDATE"), ("{keep}", "FOR KEY SHARE"),
                ("{skip locked}", "FOR UPDATE SKIP LOCKED"),
                // The lock is held until the end of the transaction. A statement after it sees what the previous holder
                // has committed.
                ("{allowance lock}", "SELECT pg_advisory_xact_lock(hashtextextended(CAST(? AS TEXT), 0)) AS alone"),
                ("{uuid}", "UUID"), ("{time}", "TIMESTAMPTZ"), ("{json}", "JSONB"), ("{real}", "DOUBLE PRECISION"),
                ("{int}", "BIGINT"), ("{bool}", "BOOLEAN"), ("{bytes}", "BYTEA"), ("{strict}", ""),
                ("{json object}", "jsonb_build_object"),
                ("{derived}", "STORED"),
                ("{position}", "strpos"), ("{separator}", "chr(31)"),
            ]
        }
    }

    /// Returns SQL in this database's dialect.
    func render(_ sql: String) -> String {
        let spelled = words.reduce(sql) { $1.0.isEmpty ? $0 : $0.replacing($1.0, with: $1.1) }
        return self == .postgres ? Self.numbered(spelled) : spelled
    }

    /// Replaces `?` outside of quotes by `$1`, `$2` …
    private static func numbered(_ sql: String) -> String {
        var (out, count, isQuoted) = ("", 0, false)
        for character in sql {
            if character == "'" { isQuoted.toggle() }
            if character == "?" && !isQuoted {
                count += 1
                out += "$\(count)"
            } else {
                out.append(character)
            }
        }
        return out
    }
}

/// A cache of SQL in a dialect, by the SQL in the source. It holds at most a few hundred statements, because statements
/// are never built from values.
struct SpelledSQL {
    private let dialect: Dialect
    private var known: [String: String] = [:]

    init(_ dialect: Dialect) { self.dialect = dialect }

    mutating func spelled(_ sql: String) -> String {
        if let there = known[sql] { return there }
        let new = dialect.render(sql)
        known[sql] = new
        return new
    }
}

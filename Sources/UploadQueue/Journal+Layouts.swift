import ExamCore
import Foundation
import GRDB

/// Upgrades journals of earlier versions.
///
/// Layout 1 had a column for each fact about an answer. Layout 2 stores an answer's record as JSON. Layout 3 adds
/// quizzes in the same columns.
extension Journal {
    /// Upgrades a journal to the present layout within the caller's transaction, so that a kill leaves it unchanged or
    /// upgraded.
    ///
    /// - Returns: The layout after the upgrade.
    /// - Throws: `SQLITE_CORRUPT` if a line's checksum is wrong. The journal is then treated as damaged.
    static func upgrade(_ database: Database, from version: Int) throws -> Int {
        if version == 2 { try database.execute(sql: "PRAGMA user_version=\(layoutVersion)") }
        guard version == 1 else { return version == 2 ? layoutVersion : version }
        for index in ["upload_by_session", "upload_open", "upload_leftover"] {
            try database.execute(sql: "DROP INDEX \(index)")
        }
        for table in ["session", "upload"] {
            try database.execute(sql: "ALTER TABLE \(table) RENAME TO earlier_\(table)")
        }
        try database.execute(sql: tables)
        try database.execute(sql: "INSERT INTO session SELECT * FROM earlier_session")
        let lines = try Row.fetchAll(
            database, sql: "SELECT \(earlierFacts), proof, number, session, \(fate) FROM earlier_upload")
        for line in lines { try move(line, in: database) }
        try database.execute(
            sql: """
                UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'earlier_upload')
                WHERE name = 'upload';
                DROP TABLE earlier_upload; DROP TABLE earlier_session; PRAGMA user_version=\(layoutVersion)
                """)
        return layoutVersion
    }

    /// The columns of layout 1 that its checksum covers.
    private static let earlierFacts = """
        id, stage, question, part, place, attempt, ending, duration, speech, path, bytes, sha256, media, goes, completed, \
        outcome, answers
        """
    /// The columns that change during delivery. They are the same in all layouts.
    private static let fate =
        "leftover, added, state, attempts, due, troubled, boot, kind, code, words, note, ended"

    private static func move(_ line: Row, in database: Database) throws {
        let facts = (0..<17).map { line[$0] as DatabaseValue }
        guard let session: Int64 = line.value("session"),
            Checksum.value(over: facts, of: session) == line.value("proof")
        else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a line of an earlier layout is damaged") }
        var values = Array(facts[..<2]) + [answer(in: line).map(text(of:))?.databaseValue ?? .null] + facts[9...]
        values.append(Checksum.value(over: values, of: session).databaseValue)
        values += [line["number"] as DatabaseValue, line["session"] as DatabaseValue]
        values += fate.split(separator: ", ").map { line[String($0)] as DatabaseValue }
        let marks = repeatElement("?", count: values.count).joined(separator: ", ")
        try database.execute(
            sql: """
                INSERT INTO upload (
                  id, stage, answer, path, bytes, sha256, media, goes, completed, outcome, answers, checksum, number, session,
                  \(fate)) VALUES (\(marks))
                """, arguments: StatementArguments(values))
    }

    /// Returns the answer that a line holds; nil if the line is about another upload.
    private static func answer(in line: Row) -> AnswerRecord? {
        guard let question: String = line.value("question"), let part: Int = line.value("part"),
            let order: Int = line.value("place"), let attempt: Int = line.value("attempt")
        else { return nil }
        func seconds(_ column: String) -> Seconds? {
            (line.value(column) as Double?).map { Seconds(.milliseconds(Int(($0 * 1000).rounded()))) }
        }
        return AnswerRecord(
            question: question, part: part, order: order, attempt: attempt, end: line.value("ending"),
            duration: seconds("duration"), speech: seconds("speech"))
    }
}

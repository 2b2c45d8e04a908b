import ExamCore
import Foundation
import StoreTrials
import Testing

@testable import ExamStore

/// Databases of every released step migrate to today's with all their data. `Released/` has SQLite's databases as they
/// were then, with a row in each table. PostgreSQL's are made by the steps.
@Suite(.bothStores) struct ReleasedSteps {
    static let steps = Array(1...Migration.all.count)

    @Test(.store(only: .sqlite, because: "What is kept are files of SQLite's."), arguments: steps)
    func aDatabaseThatWasKeptGoesForwardWithItsData(_ step: Int) async throws {
        let place = try await TestDatabase()
        let store = try place.open()
        if ProcessInfo.processInfo.environment["ORACY_GOLDENS"] != nil { try await Self.keep(step) }
        for statement in try Self.dump(of: step) {
            try await store.database.transaction(.write, as: .service) { _ = try $0.change(statement) }
        }
        try await Self.goForward(store, from: step)
        await store.close()
    }

    @Test(arguments: steps) func aDatabaseThatTheStepsMakeGoesForwardWithItsData(_ step: Int) async throws {
        let place = try await TestDatabase()
        let store = try place.open(connections: 1)
        try await Self.make(step, in: store)
        try await Self.goForward(store, from: step)
        await store.close()
    }

    /// If a released step changed, existing and new databases would have the same version but different tables.
    @Test(.store(only: .sqlite, because: "What is kept are files of SQLite's."), arguments: steps)
    func releasedStepsNeverChange(_ step: Int) async throws {
        let (kept, made) = (try await TestDatabase(), try await TestDatabase())
        let (old, new) = (try kept.open(), try made.open())
        for statement in try Self.dump(of: step) {
            try await old.database.transaction(.write, as: .service) { _ = try $0.change(statement) }
        }
        try await new.database.migrate(Array(Migration.all[..<step]), dialect: .sqlite)
        let (before, after) = (try await Self.columns(of: old), try await Self.columns(of: new))
        #expect(before.count > 20 && before == after, "a released step is never changed: make another one")
        await old.close()
        await new.close()
    }

    // MARK: - Migrating

    private static func goForward(_ store: ExamDatabase, from step: Int) async throws {
        #expect(try await store.steps() == (step, Migration.all.count))
        let before = try await rows(of: store)
        for (table, rows) in before { #expect(!rows.isEmpty, "\(table) has no row at step \(step)") }
        try await store.migrate()
        #expect(try await store.steps() == (Migration.all.count, Migration.all.count))
        let after = try await rows(of: store)
        for (table, rows) in before where table != "session_processing_queue" {
            let now = try #require(after[table], "\(table) is gone")
            #expect(now.count == rows.count, "\(table)")
            for (old, new) in zip(rows, now) {
                for (column, value) in old where !ReleasedRows.moved.contains("\(table).\(column)") {
                    #expect(new[column] == value, "\(table).\(column), from step \(step)")
                }
            }
        }
        // The store finds the data.
        let owned = store.owned(by: ReleasedRows.user)
        #expect(try await owned.profile().username == "ann")
        let answers = try await owned.responses(of: ReleasedRows.session)
        #expect(answers.map(\.record.question) == ["home-1"] && answers.map(\.record.end) == ["finished"])
        #expect(try await owned.session(ReleasedRows.session)?.status == .evaluated)
        let held = try await store.service.held(of: ReleasedRows.user)
        #expect(held["answers"] == 1 && held["recordings"] == 1 && held["submission-answers"] == 1)
        if step >= 14 { #expect(try await owned.planBook() == #"{"version": 1}"#) }
    }

    private static func make(_ step: Int, in store: ExamDatabase) async throws {
        try await store.database.migrate(Array(Migration.all[..<step]), dialect: store.dialect)
        try await store.database.transaction(.write, as: .service) { connection in
            for statement in ReleasedRows.statements(at: step) { try connection.change(statement) }
            try connection.change(
                "INSERT INTO session_files (test_session_id, name, bytes) VALUES (?, 'exam.json', ?)",
                [ReleasedRows.session, Array("{}".utf8)])
        }
    }

    /// Returns all rows by table. There is one of each, so their order doesn't matter.
    private static func rows(of store: ExamDatabase) async throws -> [String: [[String: SQLValue]]] {
        return try await store.database.transaction(.read, as: .service) { connection in
            var all: [String: [[String: SQLValue]]] = [:]
            for row in try connection.rows(store.tableNames) {
                let table: String = try row.value("name")
                if table == "oracy_migrations" { continue }
                all[table] = try connection.rows("SELECT * FROM \(table)").map { row in
                    row.places.mapValues { row.values[$0] }
                }
            }
            return all
        }
    }

    // MARK: - Stored databases

    private static func path(of step: Int) -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Released")
        return folder.appending(path: "step-\(step < 10 ? "0" : "")\(step).sql").path
    }

    private static func dump(of step: Int) throws -> [String] {
        let text = try #require(
            try? String(contentsOfFile: path(of: step), encoding: .utf8),
            "step \(step) has no database in Released: run this suite once with ORACY_GOLDENS=1, and commit what it writes"
        )
        return text.components(separatedBy: "\n;\n").filter { !$0.isEmpty }
    }

    /// Writes the database of a step that is not stored yet.
    private static func keep(_ step: Int) async throws {
        guard !FileManager.default.fileExists(atPath: path(of: step)) else { return }
        let place = try await TestDatabase()
        let store = try place.open()
        try await make(step, in: store)
        let statements = try await store.database.transaction(.write, as: .service) { connection -> [String] in
            try connection.change("UPDATE oracy_migrations SET applied_at = '2026-01-02T03:04:05Z'")
            let made = try connection.rows(
                "SELECT name, type, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
            )
            var statements: [String] = try made.map { try $0.value("sql") }
            for row in made where try row.value("type") == "table" {
                let table: String = try row.value("name")
                let columns: [String] = try connection.rows(
                    "SELECT name FROM pragma_table_xinfo('\(table)') WHERE hidden = 0"
                ).map { try $0.value("name") }
                let values = columns.map { "quote(\($0))" }.joined(separator: " || ', ' || ")
                for row in try connection.rows("SELECT \(values) AS line FROM \(table)") {
                    let line: String = try row.value("line")
                    statements.append("INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(line))")
                }
            }
            return statements
        }
        await store.close()
        try FileManager.default.createDirectory(
            atPath: (path(of: step) as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try (statements.joined(separator: "\n;\n") + "\n;\n").write(
            toFile: path(of: step), atomically: true, encoding: .utf8)
    }

    /// Returns columns and indices as SQLite describes them.
    private static func columns(of store: ExamDatabase) async throws -> Set<String> {
        try await store.database.transaction(.read, as: .service) { connection in
            let rows = try connection.rows(
                """
                SELECT m.name || ' ' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || coalesce(c.dflt_value, '') || ' '
                  || c.pk || ' ' || c.hidden AS line
                FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c WHERE m.type IN ('table', 'view')
                UNION SELECT m.name || ' ' || i.name || ' ' || i."unique" || ' ' || i.partial
                FROM sqlite_master m JOIN pragma_index_list(m.name) i WHERE m.type = 'table'
                UNION SELECT m.name || ' ' || f."table" || ' ' || f."from" || ' ' || f.on_delete
                FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'
                """)
            return Set(try rows.map { try $0.value("line") as String })
        }
    }
}

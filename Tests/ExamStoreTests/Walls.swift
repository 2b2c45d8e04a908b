import Foundation
import LoopbackServers
import StoreTrials
import Testing

@testable import ExamStore

/// Row-level security is the second wall: it protects rows from SQL without any condition on the owner.
@Suite(.store(only: .postgres, because: "SQLite has no row-level security.")) struct Walls {
    /// The tables of the first step, and later ones with owners.
    private static let tables =
        RowLevelSecurity.tables + ["papers"] + RowLevelSecurity.practiceTables + ["practice_boards", "plans"]

    /// Makes a database with one user's rows in every table. Returns the user as `owner`.
    private static func furnished() async throws -> (place: TestDatabase, store: ExamDatabase, owner: UUID) {
        let place = try await TestDatabase()
        let store = try place.open()
        try await store.migrate()
        let (owner, template) = (UUID(), Sample.template())
        let question = TestQuestion(id: UUID(), part: 1, order: 1, text: "Where?", question: "q")
        try await store.service.put(template, questions: [question])
        let (session, _) = try await store.hold(owner, answers: 2)
        let mine = store.owned(by: owner)
        try await store.service.write {
            _ = try $0.change("INSERT INTO profiles (id, username, updated_at) VALUES (?, 'ada', {now})", [owner])
        }
        _ = try await mine.complete(session, Sample.completion(answers: 2))
        try await store.service.append(["one"], to: session, from: 1)
        try await store.service.put("exam.json", [1], session: session)
        let submission = UUID()
        _ = try await mine.openSubmission(submission)
        _ = try await mine.submit(submission, .init(answers: Submissions.answers))
        _ = try await mine.add(OwnPapers.paper(), most: 9, mostWritten: 9)
        _ = try await mine.add(StoredTest(id: UUID(), state: .ready, document: "{}"), most: 9, mostWritten: 9)
        _ = try await mine.append(practiceLines: ["a line"], after: 0, knowing: nil)
        _ = try await mine.add(StoredTask(id: UUID(), title: "t", due: "d", isComplete: true), most: 9)
        try await mine.joinBoard(of: "8b", as: "Ada")
        _ = try await mine.put(planBook: "{}", for: nil)
        _ = try await mine.create(Uploads.upload())
        _ = try await mine.create(Uploads.upload(session))
        _ = try await mine.erase(session: store.hold(owner, answers: 1).0)
        return (place, store, owner)
    }

    private static func count(_ table: String, in store: ExamDatabase, as identity: Identity) async throws -> Int {
        try await store.database.transaction(.read, as: identity) {
            try $0.first("SELECT count(*) AS count FROM \(table)")!.value("count")
        }
    }

    @Test func everyTableHasAWall() async throws {
        let (_, store, _) = try await Self.furnished()
        let tables = try await store.database.transaction(.read, as: .service) { connection in
            try connection.rows(
                """
                SELECT c.relname::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = 'public' AND c.relkind = 'r' AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
                """
            ).map { row -> String in try row.value("name") }
        }
        #expect(tables == ["oracy_migrations"])
        await store.close()
    }

    @Test func anotherUserSeesChangesAndRemovesNothing() async throws {
        let (_, store, owner) = try await Self.furnished()
        let stranger = Identity.user(UUID())
        let isRead: Set = ["test_templates", "questions"]
        for table in Self.tables where !RowLevelSecurity.views.contains(table) {
            let all = try await Self.count(table, in: store, as: .service)
            #expect(all > 0, "\(table) was not filled")
            #expect(try await Self.count(table, in: store, as: .user(owner)) == all, "\(table)")
            let seen = try await Self.count(table, in: store, as: stranger)
            #expect(seen == (isRead.contains(table) ? all : 0), "\(table)")
            let key =
                [
                    "session_log": "number", "practice_boards": "name", "plans": "document", "session_files": "name",
                    "submission_batches": "batch",
                    "practice_lines": "number",
                ][table] ?? "id"
            let column = table == "submission_answers" ? "batch" : key
            let changed = try await store.database.transaction(.write, as: stranger) { connection in
                try connection.change("UPDATE \(table) SET \(column) = \(column)")
                    + connection.change("DELETE FROM \(table)")
            }
            #expect(changed == 0, "\(table)")
            #expect(try await Self.count(table, in: store, as: .service) == all, "\(table)")
        }
        await store.close()
    }

    @Test func aViewShowsNoMoreThanItsTables() async throws {
        let (_, store, owner) = try await Self.furnished()
        for view in RowLevelSecurity.views {
            let all = try await Self.count(view, in: store, as: .service)
            #expect(all > 0, "\(view) was not filled")
            #expect(try await Self.count(view, in: store, as: .user(owner)) == all, "\(view)")
            #expect(try await Self.count(view, in: store, as: .user(UUID())) == 0, "\(view)")
        }
        await store.close()
    }

    @Test func usersCannotMakeRowsForOthers() async throws {
        let (_, store, owner) = try await Self.furnished()
        for table in Self.tables where !RowLevelSecurity.views.contains(table) {
            // Columns that the database computes can't be written.
            let columns = try await store.database.transaction(.read, as: .service) { connection in
                try connection.rows(
                    """
                    SELECT column_name::text AS name FROM information_schema.columns
                    WHERE table_schema = 'public' AND table_name = ? AND is_generated = 'NEVER'
                    """, [table]
                ).map { row -> String in try row.value("name") }.joined(separator: ", ")
            }
            let rows = try await store.database.transaction(.read, as: .service) { connection in
                try connection.rows("SELECT row_to_json(t)::text AS row FROM \(table) t").map { row -> String in
                    try row.value("row")
                }
            }
            for row in rows {
                await #expect {
                    try await store.database.transaction(.write, as: .user(UUID())) { connection in
                        _ = try connection.change(
                            "INSERT INTO \(table) (\(columns)) SELECT \(columns) FROM json_populate_record(NULL::\(table), CAST(? AS json))",
                            [row])
                    }
                } throws: {
                    // insufficient_privilege comes before any check of uniqueness.
                    ($0 as? StoreError)?.kind == .refused
                }
            }
        }
        // Users can't give their own rows to others either.
        let (session, _) = try await store.hold(UUID())
        let giver = try #require(try await store.service.owner(of: session))
        await expect(.refused) {
            try await store.database.transaction(.write, as: .user(giver)) { connection in
                _ = try connection.change("UPDATE test_sessions SET user_id = ?", [owner])
            }
        }
        await store.close()
    }

    @Test func aConnectionWithoutAUserSeesNothing() async throws {
        let (place, store, _) = try await Self.furnished()
        let server = try await PostgresServer.shared.value
        let name = place.address.split(separator: "/").last!
        for table in Self.tables {
            let seen = try await server.execute(
                "SET ROLE \(PostgresServer.role); SELECT count(*) FROM \(table)", in: String(name))
            #expect(seen == "0", "\(table)")
        }
        await store.close()
    }

    @Test func aRoleThatBypassesTheWallIsRefused() async throws {
        let server = try await PostgresServer.shared.value
        let name = "boss\(UUID().uuidString.prefix(6).lowercased())"
        try await server.execute("CREATE ROLE \(name) LOGIN SUPERUSER PASSWORD 'p'", in: "postgres")
        let store = try ExamDatabase.postgres("postgresql://\(name):p@127.0.0.1:\(server.port)/postgres")
        await expect(.unusable) { try await store.migrate() }
        await store.close()
        try await server.execute("DROP ROLE \(name)", in: "postgres")
    }
}

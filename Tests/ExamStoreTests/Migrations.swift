import ExamCore
import Foundation
import StoreTrials
import Testing

@testable import ExamStore

@Suite(.bothStores) struct Migrations {
    @Test func nodesMayMigrateAtOnceAndAgain() async throws {
        let place = try await TestDatabase()
        let stores = try (0..<4).map { _ in try place.open(connections: 1) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores { group.addTask { try await store.migrate() } }
            try await group.waitForAll()
        }
        try await stores[0].migrate()
        #expect(try await Self.steps(stores[1]) == Migration.all.count)
        for store in stores { await store.close() }
    }

    @Test func aNewerVersionsDatabaseIsLeftAlone() async throws {
        try await withStore { store in
            let next = Migration.all.count + 1
            try await store.database.transaction(.write, as: .service) { connection in
                _ = try connection.change(
                    "INSERT INTO oracy_migrations (number, name, applied_at) VALUES (?, ?, {now})", [next, "later"])
            }
            await expect(.unusable) { try await store.migrate() }
            #expect(try await Self.steps(store) == next)
        }
    }

    @Test func aStepThatFailsLeavesTheDatabaseAtTheOneBefore() async throws {
        try await withStore { store in
            let next = Migration.all.count + 1
            let half = Migration(
                number: next, name: "half", statements: ["CREATE TABLE half (id {uuid} PRIMARY KEY)", "NONSENSE"])
            await expect(.unusable) { try await store.database.migrate(Migration.all + [half], dialect: store.dialect) }
            #expect(try await Self.steps(store) == Migration.all.count)
            let whole = Migration(
                number: next, name: "whole", statements: ["CREATE TABLE half (id {uuid} PRIMARY KEY)"])
            try await store.database.migrate(Migration.all + [whole], dialect: store.dialect)
            #expect(try await Self.steps(store) == next)
        }
    }

    @Test func answersOfEarlierDatabasesHaveTheirRecords() async throws {
        let place = try await TestDatabase()
        let store = try place.open()
        try await store.database.migrate(Array(Migration.all[..<2]), dialect: store.dialect)
        let (user, session, answer) = (UUID(), UUID(), UUID())
        try await store.database.transaction(.write, as: .service) { connection in
            let values = [[session, user], [answer, session, user], [answer, session]]
            for (statement, values) in zip(Self.earlierAnswer, values) { try connection.change(statement, values) }
        }
        try await store.migrate()
        let responses = try await store.owned(by: user).responses(of: session)
        let expected = AnswerRecord(
            question: "home-1", part: 1, order: 3, attempt: 2, end: "timeUp.part", duration: Seconds(.seconds(12.5)),
            speech: Seconds(.seconds(9.25)))
        #expect(responses.map(\.record) == [expected])
        #expect(responses.map(\.path) == ["k"], "its recording's object")
        #expect(responses.map(\.processingOrder) == [103])
        let row = try await store.database.transaction(.read, as: .service) {
            try $0.first("SELECT duration_seconds FROM responses")
        }
        #expect(try row?.value("duration_seconds") == 12.5)
        await store.close()
    }

    /// Earlier versions marked sessions as evaluated that had no assessment.
    @Test func sessionsWithoutAnAssessmentAreNotEvaluated() async throws {
        let place = try await TestDatabase()
        let store = try place.open()
        try await store.database.migrate(Array(Migration.all[..<5]), dialect: store.dialect)
        let (user, sessions) = (UUID(), [UUID(), UUID(), UUID()])
        try await store.database.transaction(.write, as: .service) { connection in
            for (session, by) in zip(sessions, ["none", "none", "a/1"]) {
                try connection.change(
                    """
                    INSERT INTO test_sessions (id, user_id, name, format, paper, started_at, created_at, completed_at,
                      status, assessed_by, answers)
                    VALUES (?, ?, 's', 'f', 'p', {now}, {now}, {now}, 'evaluated', ?, 4)
                    """, [session, user, by])
            }
            // This one was marked by a person.
            try connection.change("UPDATE test_sessions SET overall_band_score = 5 WHERE id = ?", [sessions[1]])
        }
        try await store.migrate()
        var found: [SessionStatus] = []
        for session in sessions {
            let row = try #require(try await store.owned(by: user).session(session))
            #expect(row.expectedResponses == 4)
            found.append(row.status)
        }
        #expect(found == [.completed, .evaluated, .evaluated])
        await store.close()
    }

    /// Rows for the tables of step 2.
    private static let earlierAnswer = [
        """
        INSERT INTO test_sessions (id, user_id, name, format, paper, started_at, created_at)
        VALUES (?, ?, 's', 'f', 'p', {now}, {now})
        """,
        """
        INSERT INTO recordings (id, test_session_id, user_id, object_key, byte_count, sha256, media_type, stored_at)
        VALUES (?, ?, ?, 'k', 1, '0f', 'audio/ogg', {now})
        """,
        """
        INSERT INTO responses (id, test_session_id, question, part, question_order, attempt, ended, duration_seconds,
          speech_seconds, audio_file_path, byte_count, sha256, media_type, uploaded_at, created_at)
        VALUES (?, ?, 'home-1', 1, 3, 2, 'timeUp.part', 12.5, 9.25, 'responses/a.opus', 1, '0f', 'audio/ogg', {now}, {now})
        """,
    ]

    @Test func foreignTablesAreNotTouched() async throws {
        let place = try await TestDatabase()
        let store = try place.open()
        try await store.database.transaction(.write, as: .service) {
            _ = try $0.change("CREATE TABLE questions (a TEXT)")
        }
        await expect(.unusable) { try await store.migrate() }
        await store.close()
    }

    @Test(.store(only: .sqlite, because: "PostgreSQL is no file.")) func aFileThatIsNotADatabaseIsUnusable()
        async throws
    {
        let place = try await TestDatabase()
        let folder = (place.address as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try String(repeating: "no database ", count: 1_000).write(
            toFile: place.address, atomically: true, encoding: .utf8)
        await expect(.unusable) { _ = try ExamDatabase.sqlite(path: place.address) }
    }

    @Test(.store(only: .sqlite, because: "PostgreSQL is no file."))
    func theFileIsItsOwnersOnlyAndWhatIsCommittedIsSynced() async throws {
        let place = try await TestDatabase()
        let store = try place.open()
        try await store.migrate()
        for path in [place.address, place.address + "-wal"] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(path)")
        }
        let settings = try await store.database.transaction(.write, as: .service) { connection -> [Int] in
            let (sync, keys) = (
                try connection.first("PRAGMA synchronous")!, try connection.first("PRAGMA foreign_keys")!
            )
            return [try sync.value("synchronous"), try keys.value("foreign_keys")]
        }
        #expect(settings == [2, 1])
        let mode = try await store.database.transaction(.read, as: .service) { try $0.first("PRAGMA journal_mode")! }
        #expect(try mode.value("journal_mode") == "wal")
        await store.close()
    }

    /// The columns that every database must have.
    private static let columns = [
        "profiles": "id updated_at username full_name avatar_url",
        "test_templates": "id title description difficulty_level created_at updated_at is_active",
        "questions": """
        id test_template_id part_number question_order question_text audio_file_url transcript expected_duration \
        topic_keywords created_at
        """,
        "test_sessions": """
        id user_id test_template_id status started_at completed_at completed_responses all_responses_uploaded \
        overall_band_score fluency_score pronunciation_score grammar_score vocabulary_score topic_relevance_score \
        expected_responses
        """,
        "responses": """
        id test_session_id question_id audio_file_path wav_file_path transcript duration_seconds fluency_score \
        pronunciation_score grammar_score vocabulary_score topic_relevance_score azure_response is_processed \
        processing_order error_message created_at uploaded_at evaluated_at upload_status processing_status
        """,
        "processing_queue": """
        id session_id test_session_id status priority queued_at started_processing_at completed_at retry_count \
        error_message processing_worker_id max_retries last_error_at processing_duration_seconds
        """,
        "session_processing_queue": "id test_session_id status created_at updated_at error_message",
    ]

    @Test func everyRequiredColumnIsThere() async throws {
        try await withStore { store in
            for (table, columns) in Self.columns {
                let list = columns.split(separator: " ").joined(separator: ", ")
                let rows = try await store.database.transaction(.read, as: .service) {
                    try $0.rows("SELECT \(list) FROM \(table)")
                }
                #expect(rows.isEmpty)
            }
        }
    }

    private static func steps(_ store: ExamDatabase) async throws -> Int {
        try await store.database.transaction(.read, as: .service) {
            try $0.first("SELECT max(number) AS number FROM oracy_migrations")!.value("number")
        }
    }
}

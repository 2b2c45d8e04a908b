import Foundation
import StoreTrials
import Testing

@testable import ExamStore

/// Row-level security enforces the roles, even for SQL without conditions of its own. A teacher sees their group, a
/// marker the exams given to them, a service no recording. None of them can write.
@Suite(.store(only: .postgres, because: "SQLite has no row-level security.")) struct RoleWalls {
    private static let tables = [
        "test_sessions", "responses", "recordings", "processing_queue", "session_processing_queue", "session_groups",
        "marking_places", "profiles", "readings", "session_log", "session_files", "consents", "erasures",
    ]

    /// Makes one exam in 7b and one in 8c, with rows in every table. One of 7b's places is taken.
    private static func furnished() async throws -> (store: ExamDatabase, sessions: [UUID], marker: UUID) {
        let store = try await TestDatabase().open()
        try await store.migrate()
        let marker = UUID()
        var sessions: [UUID] = []
        for group in ["7b", "8c"] {
            let user = UUID()
            let (session, _) = try await store.hold(user, answers: 2)
            sessions.append(session)
            try await store.service.append(["one"], to: session, from: 1)
            try await store.service.put("exam.json", [1], session: session)
            _ = try await store.owned(by: user).complete(session, Sample.completion(answers: 2))
            try await store.owned(by: user).agree(to: "example.org", words: "w")
            _ = try await store.service.askForMarks(of: session, markers: 1)
            try await store.service.note(reading: "results", of: [(session, user)], by: Reader(marker, .service))
            try await store.service.write { connection in
                try connection.change(
                    "INSERT INTO profiles (id, username, updated_at) VALUES (?, 'ada', {now})", [user])
                try connection.change(
                    "INSERT INTO session_groups (test_session_id, group_name, user_id) VALUES (?, ?, ?)",
                    [session, group, user])
                try connection.change(
                    "INSERT INTO erasures (id, user_id, erased_at) VALUES (?, ?, {now})", [UUID(), user])
            }
        }
        let first = sessions[0]
        try await store.service.write {
            _ = try $0.change(
                "UPDATE marking_places SET marker = ?, taken_at = {now}, due = {seconds} + 60 WHERE test_session_id = ?",
                [marker, first])
        }
        return (store, sessions, marker)
    }

    private static func counts(_ store: ExamDatabase, as identity: Identity) async throws -> [String: Int] {
        try await store.database.transaction(.read, as: identity) { connection in
            var counts: [String: Int] = [:]
            for table in tables {
                counts[table] = try connection.first("SELECT count(*) AS count FROM \(table)")!.value("count")
            }
            return counts
        }
    }

    @Test func eachRoleSeesItsOwnRowsAndNoOthers() async throws {
        let (store, _, marker) = try await Self.furnished()
        let all = try await Self.counts(store, as: .service)
        for (table, count) in all { #expect(count >= 2, "\(table) was not filled") }
        func seen(_ identity: Identity) async throws -> [String: Int] {
            try await Self.counts(store, as: identity).filter { $0.value > 0 }
        }
        let ofOne: [String: Int] = [
            "test_sessions": 1, "responses": 2, "processing_queue": 1, "session_processing_queue": 1,
        ]
        #expect(
            try await seen(.reader(Reader(UUID(), .teacher(of: ["7b", "x"]))))
                == ofOne.merging(["recordings": 2, "session_groups": 1, "profiles": 1]) { $1 })
        #expect(try await seen(.reader(Reader(UUID(), .teacher(of: ["9a"])))) == [:])
        #expect(
            try await seen(.reader(Reader(marker, .marker)))
                == ofOne.merging(["recordings": 2, "marking_places": 1]) { $1 })
        #expect(try await seen(.reader(Reader(UUID(), .marker))) == [:])
        #expect(
            try await seen(.reader(Reader(UUID(), .service)))
                == [
                    "test_sessions": 2, "responses": 4, "processing_queue": 2, "session_processing_queue": 2,
                ])
        // Rights that were not given have no effect.
        #expect(try await seen(.user(marker)) == [:])
        await store.close()
    }

    @Test func readersCannotWrite() async throws {
        let (store, _, marker) = try await Self.furnished()
        let readers = [
            Reader(UUID(), .teacher(of: ["7b", "8c"])), Reader(marker, .marker), Reader(UUID(), .service),
        ]
        for reader in readers {
            for table in Self.tables where table != "session_processing_queue" {
                await #expect(throws: StoreError.self, "\(reader.right.name) \(table)") {
                    try await store.database.transaction(.write, as: .reader(reader)) {
                        _ = try $0.change("DELETE FROM \(table)")
                    }
                }
            }
        }
        await store.close()
    }
}

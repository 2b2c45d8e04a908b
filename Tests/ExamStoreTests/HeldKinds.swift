import Foundation
import StoreTrials
import Testing

@testable import ExamStore

extension ExamDatabase {
    /// A query for all tables, each as `name`.
    var tableNames: String {
        switch dialect {
        case .sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        case .postgres: "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public'"
        }
    }
}

/// Export and erasure cover all data of a user.
@Suite(.bothStores) struct HeldKinds {
    @Test func everyTableHasAnOwnerOrIsListedWithoutOne() async throws {
        try await withStore { store in
            let tables: [String] = try await store.database.transaction(.read, as: .service) { connection in
                try connection.rows(store.tableNames).map { try $0.value("name") }
            }
            #expect(Set(tables) == Set(HeldKind.all.map(\.table) + HeldKind.ofNobody))
            #expect(Set(HeldKind.all.map(\.name)).count == HeldKind.all.count)
        }
    }

    /// The rows that stay after a user was erased.
    private static let kept = ["readings": 1, "erasures": 2, "seals": 1, "seal-entries": 1]

    /// Each kind finds this user's row, and no other user's.
    @Test func eachKindsRowIsFoundAndErased() async throws {
        try await withStore { store in
            let user = ReleasedRows.user
            try await store.database.transaction(.write, as: .service) { connection in
                for statement in ReleasedRows.statements(at: Migration.all.count) { try connection.change(statement) }
                try connection.change(
                    "INSERT INTO session_files (test_session_id, name, bytes) VALUES (?, 'exam.json', ?)",
                    [ReleasedRows.session, Array("{}".utf8)])
            }
            let held = try await store.service.held(of: user)
            let others = ["marks-given", "readings-made", "assignments-made"]
            #expect(
                Set(held.keys) == Set(HeldKind.all.map(\.name)).subtracting(others)
                    && held.values.allSatisfy { $0 == 1 })
            let other = UUID(uuidString: "00000000-0000-4000-8000-000000000014")!
            #expect(
                try await store.service.held(of: other)
                    == ["marks-given": 1, "readings-made": 1, "assignments-made": 1])
            let sessions = try #require(HeldKind.all.first { $0.name == "sessions" })
            let row = try #require(try await store.service.rows(of: sessions, of: user).first)
            #expect(row.values["live_token_hash"] == nil && row.values["name"] == .text("home"))

            #expect(try await store.owned(by: user).erase(session: ReleasedRows.session))
            try await store.service.eraseRest(of: user, except: ["profile"])
            #expect(try await store.service.held(of: user) == Self.kept.merging(["profile": 1]) { $1 })
            try await store.service.eraseRest(of: user, except: [])
            #expect(try await store.service.held(of: user) == Self.kept)
        }
    }
}

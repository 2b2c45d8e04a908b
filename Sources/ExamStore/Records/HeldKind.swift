package import Foundation

/// A kind of data stored about a user: the user's rows of one table. Exports and erasures are based on this list, and a
/// test compares it with the tables.
package struct HeldKind: Sendable {
    /// The fate of the rows when their user is erased.
    package enum Fate: Sendable, Equatable {
        /// The rows are removed with the user's sessions, or with another row that is erased.
        case goesAlong
        case erased
        /// The rows stay. The value is the reason, in words for the person who erases.
        case kept(String)
    }

    /// The name for people and for files: `answers`.
    package let name: String
    let table: String
    /// SQL with one `?` for the user.
    let condition: String
    package let fate: Fate

    private init(_ name: String, _ table: String, _ condition: String = "user_id = ?", _ fate: Fate = .goesAlong) {
        (self.name, self.table, self.condition, self.fate) = (name, table, condition, fate)
    }

    package static let all =
        [
            HeldKind("profile", "profiles", "id = ?", .erased),
            HeldKind("consents", "consents", fate: .erased),
            HeldKind("sessions", "test_sessions"),
            HeldKind("groups", "session_groups"),
            HeldKind("recordings", "recordings"),
        ]
        + [
            ("answers", "responses"), ("log", "session_log"), ("files", "session_files"),
            ("jobs", "processing_queue"), ("changes", "session_changes"), ("marks", "marking_places"),
        ].map { HeldKind($0, $1, "test_session_id IN (SELECT id FROM test_sessions WHERE user_id = ?)") }
        + [("findings", "assessments"), ("assessor-calls", "assessor_calls")].map {
            HeldKind(
                $0, $1,
                "response_id IN (SELECT r.id FROM responses r JOIN test_sessions s ON s.id = r.test_session_id "
                    + "WHERE s.user_id = ?)")
        }
        + [
            HeldKind("uploads", "resumable_uploads", fate: .erased),
            HeldKind("submissions", "submissions", fate: .erased),
        ]
        + [("submission-batches", "submission_batches"), ("submission-answers", "submission_answers")].map {
            HeldKind($0, $1, "submission_id IN (SELECT id FROM submissions WHERE user_id = ?)")
        }
        + [
            HeldKind("practice-tests", "practice_tests"),
            HeldKind("practice", "practice_lines", fate: .erased),
            HeldKind("tasks", "practice_tasks", fate: .erased),
            HeldKind("boards", "practice_boards", fate: .erased),
            HeldKind("papers", "papers", fate: .erased),
            HeldKind("plans", "plans", fate: .erased),
            HeldKind("spending", "assessor_spending", fate: .erased),
            HeldKind("memberships", "class_members", "id = ?", .erased),
            HeldKind("sign-ins", "class_sign_ins"),
            HeldKind("school-sign-ins", "school_sign_ins", fate: .erased),
            HeldKind("assignments", "assignments", "learner_id = ?", .erased),
            HeldKind(
                "assignments-made", "assignments", "made_by = ?",
                .kept("work that they assigned, by their id: it stands in other people's lists")),
            HeldKind(
                "marks-given", "marking_places", "marker = ?",
                .kept("marks that they gave, by their id: they are results of other people's exams")),
            HeldKind(
                "readings", "readings", "owner = ?",
                .kept(
                    "lines of the audit log: who read what of theirs, ids only; gone after \(ServiceStore.readingDays) days"
                )
            ),
            HeldKind(
                "readings-made", "readings", "reader = ?",
                .kept(
                    "lines of the audit log: what they read of others, ids only; gone after \(ServiceStore.readingDays) days"
                )
            ),
            HeldKind(
                "seals", "seals", "user_id = ?",
                .kept(
                    "seals of exams: hashes and ids only, so that marks can still be traced; gone \(ServiceStore.readingDays) days after "
                        + "the exam was erased")),
            HeldKind(
                "seal-entries", "seal_entries", "user_id = ?",
                .kept("what was added to sealed exams, by whom and when: hashes and ids only; they go with the seals")),
            HeldKind(
                "erasures", "erasures", "user_id = ?",
                .kept("ids of erased sessions, for an hour: the server looks whether sound of theirs still comes")),
        ]

    private init(_ name: String, _ table: String, fate: Fate) { self.init(name, table, "user_id = ?", fate) }

    /// Tables without data of users.
    static let ofNobody = [
        "oracy_migrations", "nodes", "test_templates", "questions", "classes", "school_attempts",
    ]

    /// Columns that contain secrets or their digests, and no personal data.
    static let secretColumns: Set = ["live_token_hash", "pin_hash", "link_hash", "token_hash", "replaces"]
}

extension ServiceStore {
    /// Returns the number of a user's rows by kind. Kinds without rows are left out.
    package func held(of user: UUID) async throws(StoreError) -> [String: Int] {
        try await read { connection in
            var counts: [String: Int] = [:]
            for kind in HeldKind.all {
                let count: Int = try connection.first(
                    "SELECT count(*) AS count FROM \(kind.table) WHERE \(kind.condition)", [user])!.value("count")
                if count > 0 { counts[kind.name] = count }
            }
            return counts
        }
    }

    /// Returns all rows of a kind as the database has them.
    package func rows(of kind: HeldKind, of user: UUID) async throws(StoreError) -> [HeldRow] {
        try await read { connection in
            try connection.rows("SELECT * FROM \(kind.table) WHERE \(kind.condition)", [user]).map(HeldRow.init)
        }
    }

    /// Erases a user's rows that are not removed with others. Sessions and objects in storage must be erased before.
    ///
    /// - Parameter kinds: the kinds to keep.
    package func eraseRest(of user: UUID, except kinds: Set<String>) async throws(StoreError) {
        try await write { connection in
            for kind in HeldKind.all where kind.fate == .erased && !kinds.contains(kind.name) {
                try connection.change("DELETE FROM \(kind.table) WHERE \(kind.condition)", [user])
            }
        }
    }

    /// Returns the object keys of a user's unfinished uploads. Only these rows refer to the objects in storage.
    package func uploadKeys(of user: UUID) async throws(StoreError) -> [String] {
        try await read { connection in
            try connection.rows("SELECT object_key FROM resumable_uploads WHERE user_id = ?", [user])
                .map { try $0.value("object_key") }
        }
    }
}

/// A row as the database has it.
package struct HeldRow: Sendable {
    /// The values by column.
    package let values: [String: SQLValue]

    init(_ row: SQLRow) {
        var values: [String: SQLValue] = [:]
        for (column, place) in row.places where !HeldKind.secretColumns.contains(column) {
            values[column] = row.values[place]
        }
        self.values = values
    }
}

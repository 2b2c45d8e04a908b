/// Seals of finished exams, and the record of later additions.
extension Schema {
    static let seals = [
        // The party that held the exam and made its recordings.
        """
        ALTER TABLE test_sessions ADD COLUMN held TEXT NOT NULL DEFAULT 'client' CHECK (held IN ('server', 'client'))
        """,
        // The seal's hash; NULL until the exam is sealed.
        "ALTER TABLE test_sessions ADD COLUMN seal TEXT",
        "ALTER TABLE test_sessions ADD COLUMN sealed_at {time}",
        // The time of the first completion, in seconds since 1970 by the database's clock: a date from a client proves
        // nothing.
        "ALTER TABLE test_sessions ADD COLUMN closed_at {real}",
        // The seal that the session's bands are based on; `older` for bands from before seals existed.
        "ALTER TABLE test_sessions ADD COLUMN evidence TEXT",
        // The seal that a marker's sheet is based on.
        "ALTER TABLE marking_places ADD COLUMN seal TEXT",
        // A server stores the material of the exams that it held, and of no others.
        """
        UPDATE test_sessions SET held = 'server' WHERE EXISTS (
          SELECT 1 FROM session_files f WHERE f.test_session_id = test_sessions.id AND f.name = 'exam.json')
        """,
        "UPDATE test_sessions SET evidence = 'older' WHERE assessed_by IS NOT NULL OR overall_band_score IS NOT NULL",
        """
        CREATE INDEX test_sessions_to_seal ON test_sessions (completed_at) WHERE seal IS NULL AND completed_at IS NOT NULL
        """,
        // No reference to the session: the hashes remain when it is erased. The manifest is stored exactly as it was
        // hashed.
        """
        CREATE TABLE seals (
          session {uuid} PRIMARY KEY,
          user_id {uuid} NOT NULL,
          hash TEXT NOT NULL,
          manifest TEXT NOT NULL,
          sealed_at {time} NOT NULL) {strict}
        """,
        "CREATE INDEX seals_by_user ON seals (user_id)",
        """
        CREATE TABLE seal_entries (
          session {uuid} NOT NULL REFERENCES seals (session) ON DELETE CASCADE,
          number {int} NOT NULL CHECK (number >= 1),
          user_id {uuid} NOT NULL,
          added_at {time} NOT NULL,
          kind TEXT NOT NULL,
          who TEXT NOT NULL,
          item TEXT NOT NULL,
          evidence TEXT NOT NULL,
          content TEXT,
          previous TEXT NOT NULL,
          hash TEXT NOT NULL,
          PRIMARY KEY (session, number)) {strict}
        """,
        "CREATE INDEX seal_entries_by_user ON seal_entries (user_id)",
    ]
}

extension RowLevelSecurity {
    /// Owners and everybody who may read the exam can read its seal. Only the server writes; an owner's erasure adds
    /// its own entry.
    static let seals =
        ["seals", "seal_entries"].flatMap { table in
            wall(table) + [
                "CREATE POLICY owner ON \(table) FOR SELECT USING (user_id = (SELECT oracy_user()))",
                "CREATE POLICY reader ON \(table) FOR SELECT USING ((SELECT oracy_role()) <> '' AND oracy_reads(session))",
            ]
        } + [
            "CREATE POLICY eraser ON seal_entries FOR INSERT WITH CHECK (user_id = (SELECT oracy_user()) AND kind = 'erasure' "
                + "AND EXISTS (SELECT 1 FROM seals s WHERE s.session = seal_entries.session AND s.user_id = (SELECT oracy_user())))"
        ]
}

/// Triggers that refuse changes to sealed data, for every statement and every database user. Both databases have the
/// same ones.
enum SealGuards {
    /// A table with rows that may not be changed.
    private struct Guarded {
        var table: String
        /// The condition under which the trigger refuses. `ROW` stands for the old or the new row.
        var isSealed: String
        /// The columns that the seal covers; empty for the whole row.
        var columns = ""
        var events = ["INSERT", "UPDATE", "DELETE"]
    }

    /// True for rows of a sealed session. An erasure removes the session before its rows, so it isn't refused.
    private static let ofSealed =
        "EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = ROW.test_session_id AND s.seal IS NOT NULL)"

    private static let guarded = [
        Guarded(table: "recordings", isSealed: ofSealed),
        Guarded(
            table: "responses", isSealed: ofSealed,
            columns: "test_session_id, question, part, question_order, attempt, record, byte_count, sha256, media_type"),
        Guarded(table: "session_log", isSealed: ofSealed),
        Guarded(table: "session_files", isSealed: "ROW.name = 'exam.json' AND " + ofSealed),
        Guarded(
            table: "test_sessions", isSealed: "OLD.seal IS NOT NULL",
            columns: "user_id, name, format, paper, mode, started_at, completed_at, outcome, held, seal, sealed_at",
            events: ["UPDATE"]),
        // Seals and their entries may be deleted once their exam was erased. The store deletes only old ones.
        Guarded(
            table: "seals",
            isSealed: "NOT EXISTS (SELECT 1 FROM seal_entries e WHERE e.session = ROW.session AND e.kind = 'erasure')",
            events: ["DELETE"]),
        Guarded(table: "seals", isSealed: "TRUE", events: ["UPDATE"]),
        Guarded(
            table: "seal_entries", isSealed: "EXISTS (SELECT 1 FROM seals s WHERE s.session = ROW.session)",
            events: ["DELETE"]),
        Guarded(table: "seal_entries", isSealed: "TRUE", events: ["UPDATE"]),
    ]

    private static func triggers(_ make: (_ event: String, _ guarded: Guarded, _ isSealed: String) -> [String])
        -> [String]
    {
        guarded.flatMap { guarded in
            guarded.events.flatMap { event in
                make(
                    event, guarded,
                    guarded.isSealed.replacing("ROW.", with: event == "INSERT" ? "NEW." : "OLD."))
            }
        }
    }

    private static func name(_ event: String, _ guarded: Guarded) -> String {
        "sealed_\(guarded.table)_\(event.lowercased())"
    }

    private static func of(_ event: String, _ guarded: Guarded) -> String {
        event == "UPDATE" && !guarded.columns.isEmpty ? "UPDATE OF \(guarded.columns)" : event
    }

    static let sqlite = triggers { event, guarded, isSealed in
        [
            """
            CREATE TRIGGER \(name(event, guarded)) BEFORE \(of(event, guarded)) ON \(guarded.table) WHEN \(isSealed)
            BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
            """
        ]
    }

    static let postgres = triggers { event, guarded, isSealed in
        let function = "oracy_\(name(event, guarded))"
        let quoted = isSealed.replacing("'", with: "''")
        return [
            """
            CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS '
              BEGIN
                IF \(quoted) THEN RAISE EXCEPTION ''the exam is sealed'' USING ERRCODE = ''OR001''; END IF;
                RETURN \(event == "DELETE" ? "OLD" : "NEW");
              END'
            """,
            """
            CREATE TRIGGER \(name(event, guarded)) BEFORE \(of(event, guarded)) ON \(guarded.table)
            FOR EACH ROW EXECUTE FUNCTION \(function)()
            """,
        ]
    }
}

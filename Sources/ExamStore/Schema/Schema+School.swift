/// Schools: the groups in which exams were taken, markers' tasks and sheets, and the log of readings of other users'
/// data.
extension Schema {
    static let school = [
        // An exam belongs to the groups that its candidate was in when it was created, and not to later ones.
        """
        CREATE TABLE session_groups (
          test_session_id {uuid} NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
          group_name TEXT NOT NULL,
          user_id {uuid} NOT NULL,
          PRIMARY KEY (test_session_id, group_name)) {strict}
        """,
        "CREATE INDEX session_groups_by_name ON session_groups (group_name)",
        "CREATE INDEX session_groups_by_user ON session_groups (user_id)",
        // One person's marks of one exam: free, taken until `due`, or saved. `asked` and `due` are seconds since 1970
        // by the database's own clock.
        """
        CREATE TABLE marking_places (
          id {uuid} PRIMARY KEY,
          test_session_id {uuid} NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
          place {int} NOT NULL CHECK (place >= 1),
          asked {real} NOT NULL,
          marker {uuid},
          taken_at {time},
          due {real},
          draft {json},
          sheet {json},
          rubric TEXT,
          marked_at {time},
          UNIQUE (test_session_id, place),
          UNIQUE (test_session_id, marker),
          CHECK (sheet IS NULL OR marker IS NOT NULL)) {strict}
        """,
        "CREATE INDEX marking_places_by_marker ON marking_places (marker)",
        "CREATE INDEX marking_places_waiting ON marking_places (asked) WHERE sheet IS NULL",
        // There is no reference to the session, so that the log stays when the session is erased. It contains only ids.
        """
        CREATE TABLE readings (
          id {uuid} PRIMARY KEY,
          read_at {time} NOT NULL,
          reader {uuid} NOT NULL,
          role TEXT NOT NULL,
          owner {uuid} NOT NULL,
          session {uuid} NOT NULL,
          what TEXT NOT NULL) {strict}
        """,
        "CREATE INDEX readings_by_owner ON readings (owner, read_at)",
        "CREATE INDEX readings_by_age ON readings (read_at)",
    ]
}

extension RowLevelSecurity {
    /// Readers of other users' data can read it and change nothing, because there are no other policies for them. These
    /// queries run under the policies of the tables that they name, so `session_groups` and `marking_places` must not
    /// query `test_sessions`.
    static let school =
        ["session_groups", "marking_places", "readings"].flatMap(wall) + [
            "CREATE FUNCTION oracy_role() RETURNS text LANGUAGE sql STABLE AS "
                + "'SELECT coalesce(current_setting(''oracy.role'', true), '''')'",
            // Names of groups contain no control characters.
            "CREATE FUNCTION oracy_groups() RETURNS text[] LANGUAGE sql STABLE AS "
                + "'SELECT string_to_array(coalesce(current_setting(''oracy.groups'', true), ''''), chr(31))'",
            """
            CREATE FUNCTION oracy_reads(session uuid) RETURNS boolean LANGUAGE sql STABLE AS '
              SELECT CASE oracy_role()
                WHEN ''teacher'' THEN EXISTS (
                  SELECT 1 FROM session_groups g WHERE g.test_session_id = session AND g.group_name = ANY (oracy_groups()))
                WHEN ''marker'' THEN EXISTS (
                  SELECT 1 FROM marking_places p WHERE p.test_session_id = session AND p.marker = oracy_user())
                ELSE oracy_role() = ''service'' END'
            """,
            "CREATE POLICY owner ON session_groups FOR SELECT USING (user_id = (SELECT oracy_user()))",
            "CREATE POLICY maker ON session_groups FOR INSERT WITH CHECK (user_id = (SELECT oracy_user()) AND EXISTS ("
                + "SELECT 1 FROM test_sessions s WHERE s.id = test_session_id AND s.user_id = (SELECT oracy_user())))",
            "CREATE POLICY teacher ON session_groups FOR SELECT USING "
                + "((SELECT oracy_role()) = 'teacher' AND group_name = ANY ((SELECT oracy_groups())::text[]))",
            "CREATE POLICY marker ON marking_places FOR SELECT USING "
                + "((SELECT oracy_role()) = 'marker' AND marker = (SELECT oracy_user()))",
            // At its end, a candidate's exam may request marks, but it sees nothing about the markers.
            "CREATE POLICY asker ON marking_places FOR INSERT WITH CHECK (marker IS NULL AND draft IS NULL AND EXISTS ("
                + "SELECT 1 FROM test_sessions s WHERE s.id = test_session_id AND s.user_id = (SELECT oracy_user())))",
            "CREATE POLICY owner ON readings FOR SELECT USING (owner = (SELECT oracy_user()))",
            "CREATE POLICY reader ON test_sessions FOR SELECT USING (oracy_reads(id))",
            "CREATE POLICY reader ON responses FOR SELECT USING (oracy_reads(test_session_id))",
            "CREATE POLICY reader ON processing_queue FOR SELECT USING (oracy_reads(test_session_id))",
            // A service reads the facts about recordings, but not the recordings.
            "CREATE POLICY reader ON recordings FOR SELECT USING "
                + "((SELECT oracy_role()) <> 'service' AND oracy_reads(test_session_id))",
            "DROP POLICY own ON recordings",
            "CREATE POLICY own ON recordings AS RESTRICTIVE USING (user_id = (SELECT oracy_user()) OR (SELECT oracy_service()) "
                + "OR (SELECT oracy_role()) IN ('teacher', 'marker'))",
            """
            CREATE POLICY teacher ON profiles FOR SELECT USING ((SELECT oracy_role()) = 'teacher' AND EXISTS (
              SELECT 1 FROM session_groups g WHERE g.user_id = profiles.id AND g.group_name = ANY (oracy_groups())))
            """,
        ]

    /// The policies for readers, changed so that transactions of candidates and of the server do not call
    /// `oracy_reads`. PostgreSQL runs this function as a separate statement, which took more than half of an answer's
    /// time (`oracy-bench store`, `track_functions`).
    static let readersOnly =
        [("test_sessions", "id"), ("responses", "test_session_id"), ("processing_queue", "test_session_id")].map {
            "ALTER POLICY reader ON \($0) USING ((SELECT oracy_role()) <> '' AND oracy_reads(\($1)))"
        } + [
            "ALTER POLICY reader ON recordings USING "
                + "((SELECT oracy_role()) IN ('teacher', 'marker') AND oracy_reads(test_session_id))"
        ]
}

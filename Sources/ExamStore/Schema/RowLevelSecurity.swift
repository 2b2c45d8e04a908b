/// The second wall on PostgreSQL (D9): whatever a statement forgets to ask, a user's transaction sees, changes and makes only
/// rows of that user's.
///
/// A transaction says for whom it is: `oracy.user` holds a user's id, or `oracy.service` is `on` for the server's own work; one
/// that says neither sees nothing. The server's role owns the tables, hence `FORCE`; it must be an ordinary role, since row-level
/// security binds neither superusers nor roles with BYPASSRLS (postgresql.org/docs/15/ddl-rowsecurity.html).
enum RowLevelSecurity {
    /// Step 4 makes views of these, which show what the policies of their tables show.
    static let views: Set = ["session_processing_queue"]

    /// Of step 1: whose rows are the server's alone, but for what a policy of a user's shows.
    static let tables = ["test_templates", "questions"] + ofUsers + ofSessions + ofUsersOrSessions + ofSubmissions

    static let ofUsers = ["profiles", "test_sessions", "submissions", "erasures"]
    static let ofSessions = [
        "recordings", "responses", "session_log", "session_files", "processing_queue", "session_processing_queue",
    ]
    static let ofUsersOrSessions = ["resumable_uploads"]
    static let ofSubmissions = ["submission_batches", "submission_answers"]

    static let statements = functions + tables.flatMap(wall) + policies

    /// Both are asked once a statement, not once a row, where they stand in a subquery.
    private static let functions = [
        """
        CREATE FUNCTION oracy_user() RETURNS uuid LANGUAGE sql STABLE AS
          'SELECT nullif(current_setting(''oracy.user'', true), '''')::uuid'
        """,
        """
        CREATE FUNCTION oracy_service() RETURNS boolean LANGUAGE sql STABLE AS
          'SELECT coalesce(current_setting(''oracy.service'', true), '''') = ''on'''
        """,
    ]

    /// The server's work goes through it; users need policies of their own.
    static func wall(_ table: String) -> [String] {
        [
            "ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY",
            "ALTER TABLE \(table) FORCE ROW LEVEL SECURITY",
            "CREATE POLICY service ON \(table) USING ((SELECT oracy_service()))",
        ]
    }

    /// Where there is no WITH CHECK, USING holds for new and changed rows too.
    private static let policies =
        [
            // What everybody who is signed in may read.
            "CREATE POLICY reader ON test_templates FOR SELECT USING ((SELECT oracy_user()) IS NOT NULL)",
            "CREATE POLICY reader ON questions FOR SELECT USING ((SELECT oracy_user()) IS NOT NULL)",
            "CREATE POLICY owner ON profiles USING (id = (SELECT oracy_user()))",
            "CREATE POLICY owner ON test_sessions USING (user_id = (SELECT oracy_user()))",
            "CREATE POLICY owner ON submissions USING (user_id = (SELECT oracy_user()))",
            "CREATE POLICY owner ON erasures USING (user_id = (SELECT oracy_user()))",
        ]
        + ofSessions.map { "CREATE POLICY owner ON \($0) USING (\(sessionIsMine))" }
        + ofUsersOrSessions.map {
            """
            CREATE POLICY owner ON \($0) USING (
              user_id = (SELECT oracy_user()) AND (test_session_id IS NULL OR \(sessionIsMine)))
            """
        }
        + [
            // A recording names its owner as well; both must agree.
            "CREATE POLICY own ON recordings AS RESTRICTIVE USING "
                + "(user_id = (SELECT oracy_user()) OR (SELECT oracy_service()))"
        ]
        + ofSubmissions.map {
            """
            CREATE POLICY owner ON \($0) USING (
              EXISTS (SELECT 1 FROM submissions s WHERE s.id = submission_id AND s.user_id = (SELECT oracy_user())))
            """
        }

    private static let sessionIsMine = """
        EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = test_session_id AND s.user_id = (SELECT oracy_user()))
        """
}

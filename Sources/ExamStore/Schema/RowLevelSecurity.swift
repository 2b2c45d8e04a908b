/// The second line of defence on PostgreSQL: even if a statement forgets to check the owner, a user's transaction
/// reads, changes and creates only that user's rows.
///
/// A transaction states its identity: `oracy.user` is a user's id, or `oracy.service` is `on` for the server's own
/// work. A transaction without an identity sees nothing. The server's role owns the tables, hence `FORCE`. It must be
/// an ordinary role, since row-level security binds neither superusers nor roles with BYPASSRLS
/// (postgresql.org/docs/15/ddl-rowsecurity.html).
enum RowLevelSecurity {
    /// The tables that step 4 replaces by views. Views show what the policies of their tables allow.
    static let views: Set = ["session_processing_queue"]

    /// The tables of step 1. Only the server sees all their rows. A user sees those that a policy allows.
    static let tables = ["test_templates", "questions"] + ofUsers + ofSessions + ofUsersOrSessions + ofSubmissions

    static let ofUsers = ["profiles", "test_sessions", "submissions", "erasures"]
    static let ofSessions = [
        "recordings", "responses", "session_log", "session_files", "processing_queue", "session_processing_queue",
    ]
    static let ofUsersOrSessions = ["resumable_uploads"]
    static let ofSubmissions = ["submission_batches", "submission_answers"]

    static let statements = functions + tables.flatMap(wall) + policies

    /// In a subquery, both functions are called once per statement instead of once per row.
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

    /// Enables row-level security. The server's own transactions may access all rows. Users need further policies.
    static func wall(_ table: String) -> [String] {
        [
            "ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY",
            "ALTER TABLE \(table) FORCE ROW LEVEL SECURITY",
            "CREATE POLICY service ON \(table) USING ((SELECT oracy_service()))",
        ]
    }

    /// Without WITH CHECK, USING also applies to new and changed rows.
    private static let policies =
        [
            // Every signed-in user may read these.
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
            // A recording also names its owner. Both must match.
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

extension Schema {
    static let changes = [
        // Changes in a session's results, one row for each thing. Its number increases when the thing changes, so that
        // a client that knows a number can ask for later changes.
        """
        CREATE TABLE session_changes (
          test_session_id {uuid} NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
          number {int} NOT NULL CHECK (number >= 1),
          thing TEXT NOT NULL,
          response_id {uuid},
          PRIMARY KEY (test_session_id, number)) {strict}
        """
    ]
}

extension RowLevelSecurity {
    static let changes =
        wall("session_changes") + [
            "CREATE POLICY owner ON session_changes USING (EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = test_session_id "
                + "AND s.user_id = (SELECT oracy_user())))"
        ]
}

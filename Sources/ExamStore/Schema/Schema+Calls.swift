/// Calls to services about answers, and users' consents.
extension Schema {
    static let calls = [
        // `begun` is seconds since 1970, by the database's own clock.
        """
        CREATE TABLE assessor_calls (
          response_id {uuid} NOT NULL REFERENCES responses (id) ON DELETE CASCADE,
          assessor TEXT NOT NULL,
          version TEXT NOT NULL,
          name TEXT NOT NULL,
          job_id {uuid} NOT NULL,
          begun {real} NOT NULL,
          answer TEXT,
          answered_at {time},
          PRIMARY KEY (response_id, assessor, version, name)) {strict}
        """,
        // The spending that counts against a day's budget: one row for each call, whether or not the service responded.
        """
        CREATE TABLE assessor_spending (
          assessor TEXT NOT NULL,
          begun_at {time} NOT NULL,
          seconds {real} NOT NULL,
          cost {real} NOT NULL) {strict}
        """,
        "CREATE INDEX assessor_spending_by_day ON assessor_spending (begun_at)",
        """
        CREATE TABLE consents (
          user_id {uuid} NOT NULL,
          recipient TEXT NOT NULL,
          words TEXT NOT NULL,
          given_at {time} NOT NULL,
          PRIMARY KEY (user_id, recipient)) {strict}
        """,
    ]
}

extension RowLevelSecurity {
    static let calls =
        ["assessor_calls", "assessor_spending", "consents"].flatMap(wall) + [
            "CREATE POLICY owner ON consents USING (user_id = (SELECT oracy_user()))"
        ]
}

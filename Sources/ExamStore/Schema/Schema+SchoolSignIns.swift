/// Sign-ins by a school's own service: those that have begun, and the browsers in which people are signed in.
extension Schema {
    static let schoolSignIns = [
        // `until` is in seconds since 1970. A row is removed when the school's answer has come.
        """
        CREATE TABLE school_attempts (
          state_hash TEXT PRIMARY KEY,
          browser_hash TEXT NOT NULL,
          school TEXT NOT NULL,
          nonce TEXT NOT NULL,
          verifier TEXT NOT NULL,
          until {real} NOT NULL) {strict}
        """,
        "CREATE INDEX school_attempts_by_end ON school_attempts (until)",
        // The rights are those that the school's rules gave at the sign-in. They change with the next one.
        """
        CREATE TABLE school_sign_ins (
          token_hash TEXT PRIMARY KEY,
          user_id {uuid} NOT NULL,
          school TEXT NOT NULL,
          roles {json} NOT NULL,
          group_names {json} NOT NULL,
          until {real} NOT NULL) {strict}
        """,
        "CREATE INDEX school_sign_ins_by_user ON school_sign_ins (user_id)",
    ]
}

extension RowLevelSecurity {
    /// Only the service reads these tables: a user's own transactions see no hashes, secrets or rights.
    static let schoolSignIns = ["school_attempts", "school_sign_ins"].flatMap(wall)
}

/// Classes: their members, and the browsers in which members are signed in.
extension Schema {
    static let classes = [
        // A class's name is also the group of its members, so two classes cannot share one.
        """
        CREATE TABLE classes (
          id {uuid} PRIMARY KEY,
          name TEXT NOT NULL UNIQUE,
          code TEXT NOT NULL UNIQUE,
          created_at {time} NOT NULL) {strict}
        """,
        // Names are compared by their key, which ignores case and repeated spaces. A member without a PIN signs in with
        // a link, which works once, before `link_until` in seconds since 1970.
        """
        CREATE TABLE class_members (
          id {uuid} PRIMARY KEY,
          class_id {uuid} NOT NULL REFERENCES classes (id) ON DELETE CASCADE,
          name TEXT NOT NULL,
          name_key TEXT NOT NULL,
          role TEXT NOT NULL CHECK (role IN ('learner', 'teacher', 'marker')),
          pin_hash TEXT,
          link_hash TEXT UNIQUE,
          link_until {real},
          joined_at {time} NOT NULL,
          UNIQUE (class_id, name_key),
          CHECK ((link_hash IS NULL) = (link_until IS NULL))) {strict}
        """,
        // `begun` and `until` are seconds since 1970. `replaces` is the hash of the token that this one replaces, until
        // a browser has used this one.
        """
        CREATE TABLE class_sign_ins (
          token_hash TEXT PRIMARY KEY,
          user_id {uuid} NOT NULL REFERENCES class_members (id) ON DELETE CASCADE,
          begun {real} NOT NULL,
          until {real} NOT NULL,
          replaces TEXT) {strict}
        """,
        "CREATE INDEX class_sign_ins_by_user ON class_sign_ins (user_id)",
    ]
}

extension RowLevelSecurity {
    /// Only the service reads these tables: a user's own transactions see neither hashes nor classmates.
    static let classes = ["classes", "class_members", "class_sign_ins"].flatMap(wall)
}

/// Practice: tests of questions with keys, the lines of practice logs, and tasks that clients keep of themselves.
extension Schema {
    static let practice = [
        // A test is a submission, too: answers are handed in to it as to any other. Its document is JSON of who makes tests, and opaque here. Written
        // and graded: until `worker`'s lease ends at `until`, seconds since 1970 by the database's own clock, by whoever claims it. `utc_offset` is
        // how far its learner's clock was from UTC when it was handed in, seconds.
        """
        CREATE TABLE practice_tests (
          id {uuid} PRIMARY KEY REFERENCES submissions (id) ON DELETE CASCADE,
          user_id {uuid} NOT NULL,
          state TEXT NOT NULL CHECK (state IN ('generating', 'ready', 'inProgress', 'failed', 'submitted', 'graded')),
          by_model {bool} NOT NULL,
          document TEXT NOT NULL,
          utc_offset {int} NOT NULL DEFAULT 0,
          created_at {time} NOT NULL,
          worker {uuid},
          until {real}) {strict}
        """,
        "CREATE INDEX practice_tests_by_user ON practice_tests (user_id, created_at)",
        """
        CREATE INDEX practice_tests_to_do ON practice_tests (state, created_at) WHERE state IN ('generating', 'submitted')
        """,
        // Appended to and never changed; a user's are numbered from 1.
        """
        CREATE TABLE practice_lines (
          user_id {uuid} NOT NULL,
          number {int} NOT NULL CHECK (number >= 1),
          line TEXT NOT NULL,
          PRIMARY KEY (user_id, number)) {strict}
        """,
        """
        CREATE TABLE practice_tasks (
          id {uuid} PRIMARY KEY,
          user_id {uuid} NOT NULL,
          title TEXT NOT NULL,
          due TEXT NOT NULL,
          is_complete {bool} NOT NULL,
          created_at {time} NOT NULL) {strict}
        """,
        "CREATE INDEX practice_tasks_by_user ON practice_tasks (user_id, created_at)",
    ]
}

extension Schema {
    /// Who shows a group their minutes of practice, and under which name: whoever is not here shows nothing.
    static let boards = [
        """
        CREATE TABLE practice_boards (
          group_name TEXT NOT NULL,
          user_id {uuid} NOT NULL,
          name TEXT NOT NULL,
          PRIMARY KEY (group_name, user_id)) {strict}
        """
    ]
}

extension Schema {
    /// A user's profile and plans: JSON of who makes plans, and opaque here.
    static let plans = ["CREATE TABLE plans (user_id {uuid} PRIMARY KEY, document TEXT NOT NULL) {strict}"]
}

extension RowLevelSecurity {
    static let plans = wall("plans") + ["CREATE POLICY owner ON plans USING (user_id = (SELECT oracy_user()))"]

    /// Others' rows are read by the service alone.
    static let boards =
        wall("practice_boards")
        + ["CREATE POLICY owner ON practice_boards USING (user_id = (SELECT oracy_user()))"]

    static let practiceTables = ["practice_tests", "practice_lines", "practice_tasks"]

    static let practice =
        practiceTables.flatMap(wall)
        + ["practice_tests", "practice_tasks"].map {
            "CREATE POLICY owner ON \($0) USING (user_id = (SELECT oracy_user()))"
        } + [
            "CREATE POLICY reader ON practice_lines FOR SELECT USING (user_id = (SELECT oracy_user()))",
            "CREATE POLICY writer ON practice_lines FOR INSERT WITH CHECK (user_id = (SELECT oracy_user()))",
            "CREATE POLICY eraser ON practice_lines FOR DELETE USING (user_id = (SELECT oracy_user()))",
        ]
}

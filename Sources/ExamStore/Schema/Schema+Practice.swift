/// Practice: tests with answer keys, lines of practice logs, and clients' tasks.
extension Schema {
    static let practice = [
        // A test is also a submission: answers are handed in as to any other. Its document is JSON that the store does
        // not read. A worker that claims a test writes or grades it until its lease ends at `until`, in seconds since
        // 1970 by the database's own clock. `utc_offset` is the learner's offset from UTC in seconds when the test was
        // handed in.
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
        // Lines are appended and never changed. Each user's lines are numbered from 1.
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
    /// Learners who show their minutes of practice to a group, with their names there. Learners without a row show
    /// nothing.
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
    /// A user's profile and plans as JSON that the store does not read.
    static let plans = ["CREATE TABLE plans (user_id {uuid} PRIMARY KEY, document TEXT NOT NULL) {strict}"]
}

extension RowLevelSecurity {
    static let plans = wall("plans") + ["CREATE POLICY owner ON plans USING (user_id = (SELECT oracy_user()))"]

    /// Users see only their own rows. The service sees all of them.
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

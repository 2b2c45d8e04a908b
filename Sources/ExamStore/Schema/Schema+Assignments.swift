/// Work that teachers assign. Whether it is done is not stored.
extension Schema {
    static let assignments = [
        // `class_id` is the class of this server that has the group's name, so that an erased class takes its
        // assignments along. A withdrawn assignment stays as a row that no route returns.
        """
        CREATE TABLE assignments (
          id {uuid} PRIMARY KEY,
          group_name TEXT NOT NULL,
          class_id {uuid} REFERENCES classes (id) ON DELETE CASCADE,
          learner_id {uuid},
          work TEXT NOT NULL,
          note TEXT NOT NULL,
          due TEXT NOT NULL,
          made_by {uuid} NOT NULL,
          made_at {time} NOT NULL,
          withdrawn_at {time}) {strict}
        """,
        "CREATE INDEX assignments_by_group ON assignments (group_name, due)",
        "CREATE INDEX assignments_by_learner ON assignments (learner_id)",
        "CREATE INDEX assignments_by_teacher ON assignments (made_by)",
    ]
}

extension RowLevelSecurity {
    /// Teachers read those of their groups. The service does everything else, because a learner's own transactions do
    /// not know the learner's groups.
    static let assignments =
        wall("assignments") + [
            "CREATE POLICY teacher ON assignments FOR SELECT USING "
                + "((SELECT oracy_role()) = 'teacher' AND group_name = ANY ((SELECT oracy_groups())::text[]))"
        ]
}

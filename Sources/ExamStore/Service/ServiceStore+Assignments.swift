public import Foundation

/// Assigned work. The caller must have checked that a teacher teaches the group, and that a learner is in it.
extension ServiceStore {
    /// Stores an assignment.
    ///
    /// - Returns: false if the group already has `most` that are not withdrawn. Then nothing is stored.
    public func assign(_ assignment: StoredAssignment, most: Int) async throws(StoreError) -> Bool {
        let made = try UTCTime(assignment.madeAt)
        return try await write { connection in
            try connection.lockAllowance(of: assignment.teacher)
            let count: Int = try connection.first(
                "SELECT count(*) AS count FROM assignments WHERE group_name = ? AND withdrawn_at IS NULL",
                [assignment.group])!.value("count")
            guard count < most else { return false }
            try connection.change(
                """
                INSERT INTO assignments (id, group_name, class_id, learner_id, work, note, due, made_by, made_at)
                VALUES (?, ?, (SELECT id FROM classes WHERE name = ?), ?, ?, ?, ?, ?, ?)
                """,
                [
                    assignment.id, assignment.group, assignment.group, assignment.learner, assignment.work,
                    assignment.note, assignment.due, assignment.teacher, made,
                ])
            return true
        }
    }

    /// Returns a group's assignments that are not withdrawn. Those with the earliest due day come first.
    ///
    /// - Parameter reader: a teacher, who sees only those of their groups.
    public func assignments(of group: String, by reader: Reader) async throws(StoreError) -> [StoredAssignment] {
        guard case .teacher(let groups) = reader.right, groups.contains(group) else { return [] }
        return try await database.transaction(.read, as: .reader(reader)) { connection in
            try connection.rows(
                """
                SELECT \(StoredAssignment.columns) FROM assignments WHERE group_name = ? AND withdrawn_at IS NULL
                ORDER BY due, made_at, id
                """, [group]
            ).map(StoredAssignment.init)
        }
    }

    /// Returns the assignments of a learner that are not withdrawn: those of whole groups, and the learner's own in
    /// these groups. Those with the earliest due day come first.
    public func assignments(for learner: UUID, in groups: Set<String>) async throws(StoreError) -> [StoredAssignment] {
        if groups.isEmpty { return [] }
        let places = groups.map { _ in "?" }.joined(separator: ", ")
        let values = groups.sorted().map { $0 as any SQLParameter } + [learner]
        return try await read { connection in
            try connection.rows(
                """
                SELECT \(StoredAssignment.columns) FROM assignments
                WHERE group_name IN (\(places)) AND (learner_id IS NULL OR learner_id = ?) AND withdrawn_at IS NULL
                ORDER BY due, made_at, id
                """, values
            ).map(StoredAssignment.init)
        }
    }

    /// Withdraws an assignment of a group.
    ///
    /// - Returns: false if the group has no such assignment, or it is withdrawn already.
    public func withdraw(assignment id: UUID, of group: String) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change(
                "UPDATE assignments SET withdrawn_at = {now} WHERE id = ? AND group_name = ? AND withdrawn_at IS NULL",
                [id, group]) == 1
        }
    }

    /// Returns the learners of a group, in the order of their names: the members of the teacher's own class, or
    /// otherwise everyone who took an exam as a member of the group.
    ///
    /// - Parameter limit: the maximum number of learners.
    public func learners(of group: String, for teacher: UUID, limit: Int) async throws(StoreError) -> [GroupLearner] {
        try await read { connection in
            let ownClass: UUID? = try connection.first(
                """
                SELECT c.id AS id FROM classes c JOIN class_members t ON t.class_id = c.id
                WHERE c.name = ? AND t.id = ? AND t.role = 'teacher'
                """, [group, teacher])?.value("id")
            let rows: [SQLRow]
            if let ownClass {
                rows = try connection.rows(
                    "SELECT id, name FROM class_members WHERE class_id = ? AND role = 'learner' LIMIT ?",
                    [ownClass, limit])
            } else {
                rows = try connection.rows(
                    """
                    SELECT s.user_id AS id, coalesce(p.full_name, p.username) AS name
                    FROM (SELECT DISTINCT user_id FROM session_groups WHERE group_name = ?) s
                    LEFT JOIN profiles p ON p.id = s.user_id ORDER BY s.user_id LIMIT ?
                    """, [group, limit])
            }
            let learners = try rows.map { GroupLearner(user: try $0.value("id"), name: try $0.optional("name")) }
            return learners.sorted {
                (ClassMember.key(of: $0.name ?? ""), $0.user.uuidString)
                    < (ClassMember.key(of: $1.name ?? ""), $1.user.uuidString)
            }
        }
    }
}

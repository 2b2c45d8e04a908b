/// A user's membership of their groups' boards.
extension OwnedStore {
    /// Returns this user's names on boards, by group.
    public func boardNames() async throws(StoreError) -> [String: String] {
        let user = user
        return try await read { connection in
            let rows = try connection.rows("SELECT group_name, name FROM practice_boards WHERE user_id = ?", [user])
            var names: [String: String] = [:]
            for row in rows { names[try row.value("group_name")] = try row.value("name") as String }
            return names
        }
    }

    /// Joins a group's board, or changes the name there.
    public func joinBoard(of group: String, as name: String) async throws(StoreError) {
        let user = user
        try await write { connection in
            _ = try connection.change(
                """
                INSERT INTO practice_boards (group_name, user_id, name) VALUES (?, ?, ?)
                ON CONFLICT (group_name, user_id) DO UPDATE SET name = excluded.name
                """, [group, user, name])
        }
    }

    /// Leaves a group's board.
    ///
    /// - Returns: false if this user was not on it.
    public func leaveBoard(of group: String) async throws(StoreError) -> Bool {
        let user = user
        return try await write { connection in
            try connection.change(
                "DELETE FROM practice_boards WHERE group_name = ? AND user_id = ?", [group, user]) > 0
        }
    }
}

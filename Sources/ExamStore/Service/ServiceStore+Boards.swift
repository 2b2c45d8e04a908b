public import Foundation

/// Boards of groups. The caller must have checked that the user who asks is on the board.
extension ServiceStore {
    /// A learner on a group's board.
    public struct BoardMember: Equatable, Sendable {
        public var user: UUID
        public var name: String
        /// The newest lines of the member's practice log, in order.
        public var lines: [String]
    }

    /// Returns the members of a group's board with their recent practice.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of members.
    ///   - lineLimit: the maximum number of lines of each log, from its end.
    public func board(of group: String, limit: Int, lineLimit: Int) async throws(StoreError) -> [BoardMember] {
        try await read { connection in
            let members = try connection.rows(
                "SELECT user_id, name FROM practice_boards WHERE group_name = ? ORDER BY user_id LIMIT ?",
                [group, limit])
            return try members.map { row in
                let user: UUID = try row.value("user_id")
                return BoardMember(
                    user: user, name: try row.value("name"),
                    lines: try connection.newestPracticeLines(of: user, limit: lineLimit))
            }
        }
    }
}

extension SQLConnection {
    /// Returns the newest lines of a user's practice log, in order.
    func newestPracticeLines(of user: UUID, limit: Int) throws(StoreError) -> [String] {
        var lines: [String] = []
        for row in try rows(
            "SELECT line FROM practice_lines WHERE user_id = ? ORDER BY number DESC LIMIT ?", [user, limit])
        {
            lines.append(try row.value("line"))
        }
        return lines.reversed()
    }
}

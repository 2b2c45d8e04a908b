import BackendAPI

/// The board of a learner's group at an Oracy backend: the minutes of practice in the last seven days of those who
/// joined.
public struct PracticeBoard: Codable, Equatable, Sendable {
    public struct Row: Codable, Equatable, Sendable {
        /// The rank, from 1. Learners with equal minutes share a rank.
        public var place: Int
        public var name: String
        public var minutes: Double
        public var isYou: Bool
    }

    public var group: String
    /// The learner's name on the board; nil, like `rows`, if the learner has not joined.
    public var name: String?
    public var rows: [Row]?
}

extension QuizClient {
    /// Fetches the boards of all the learner's groups.
    public func boards() async throws(SubmissionFailure) -> [PracticeBoard] {
        struct Boards: Decodable { var boards: [PracticeBoard] }
        return try await ask(Boards.self, "GET", routes.boards).boards
    }

    /// Shows the learner's minutes to the members of a group's board.
    ///
    /// - Parameter name: The name on the board, 1 to 40 characters.
    public func joinBoard(of group: String, as name: String) async throws(SubmissionFailure) {
        _ = try await answer("PUT", routes.board(of: group), body: Self.body(of: ["name": name]))
    }

    public func leaveBoard(of group: String) async throws(SubmissionFailure) {
        _ = try await answer("DELETE", routes.board(of: group), body: nil)
    }
}

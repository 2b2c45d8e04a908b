import BackendAPI

/// A board of a learner's group at an Oracy backend: minutes of practice in the last seven days, of those who joined.
public struct PracticeBoard: Codable, Equatable, Sendable {
    public struct Row: Codable, Equatable, Sendable {
        /// From 1; the same for those with the same minutes.
        public var place: Int
        public var name: String
        public var minutes: Double
        public var isYou: Bool
    }

    public var group: String
    /// The learner's there; nil, as `rows` are, where they did not join.
    public var name: String?
    public var rows: [Row]?
}

extension QuizClient {
    /// One for each of the learner's groups.
    public func boards() async throws(SubmissionFailure) -> [PracticeBoard] {
        struct Boards: Decodable { var boards: [PracticeBoard] }
        return try await ask(Boards.self, "GET", routes.boards).boards
    }

    /// Shows the learner's minutes to those who are on a group's board.
    ///
    /// - Parameter name: what they read; 1 to 40 characters.
    public func joinBoard(of group: String, as name: String) async throws(SubmissionFailure) {
        _ = try await answer("PUT", routes.board(of: group), body: Self.body(of: ["name": name]))
    }

    public func leaveBoard(of group: String) async throws(SubmissionFailure) {
        _ = try await answer("DELETE", routes.board(of: group), body: nil)
    }
}

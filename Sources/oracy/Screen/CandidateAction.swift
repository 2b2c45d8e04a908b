import ExamCore

/// A request by a key or a typed command.
enum CandidateAction: Equatable, Sendable {
    case wish(Wish)
    /// Saves the session. It can be resumed.
    case leave
}

extension Wish {
    /// The wishes in the order in which the screen offers them. Withdrawing is offered only to a candidate who wants to
    /// leave.
    static let offered: [Wish] = [.repeat, .skip, .first, .second, .finish, .again, .pause, .continue]
}

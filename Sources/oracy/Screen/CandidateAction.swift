import ExamCore

/// What a key or a typed command asks for.
enum CandidateAction: Equatable, Sendable {
    case wish(Wish)
    /// The session is saved and can be resumed.
    case leave
}

extension Wish {
    /// In the order in which wishes are offered. To withdraw is offered to whoever wants to leave.
    static let offered: [Wish] = [.repeat, .skip, .first, .second, .finish, .again, .pause, .continue]
}

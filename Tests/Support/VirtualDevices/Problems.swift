/// No sound server could be had; the reason is one plain sentence that says what to do. A test may skip itself on it.
public struct Unavailable: Error, CustomStringConvertible {
    public let reason: String
    public var description: String { reason }

    public init(_ reason: String) {
        self.reason = reason
    }
}

/// A command of ours (`pactl`, `pacat`, `parec`) that did not do what it was asked.
public enum CommandFailure: Error, CustomStringConvertible {
    /// It ended with this exit status and said these words on stderr.
    case refused(command: String, status: Int32, words: String)
    /// It had not ended when its time was up, so it was ended: the server is frozen, or gone astray.
    case unanswered(command: String, after: Duration)

    public var description: String {
        switch self {
        case .refused(let command, let status, let words): "\(command) ended with status \(status): \(words)"
        case .unanswered(let command, let time): "\(command) had no answer within \(time)"
        }
    }
}

/// No sound server is available. The reason is one plain sentence with a remedy. A test may skip itself because of it.
public struct Unavailable: Error, CustomStringConvertible {
    public let reason: String
    public var description: String { reason }

    public init(_ reason: String) {
        self.reason = reason
    }
}

/// A command (`pactl`, `pacat`, `parec`) that failed.
public enum CommandFailure: Error, CustomStringConvertible {
    /// It ended with this exit status and this error output.
    case refused(command: String, status: Int32, words: String)
    /// It did not end in time and was ended. The server is frozen or broken.
    case unanswered(command: String, after: Duration)

    public var description: String {
        switch self {
        case .refused(let command, let status, let words): "\(command) ended with status \(status): \(words)"
        case .unanswered(let command, let time): "\(command) had no answer within \(time)"
        }
    }
}

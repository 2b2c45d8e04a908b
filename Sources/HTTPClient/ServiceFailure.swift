/// The reason why a service that judges or writes gave no answer. The kinds are the reactions that they need.
public struct ServiceFailure: Error, Equatable, Sendable {
    /// The appropriate reaction.
    public enum Kind: Equatable, Sendable {
        /// Ask again later, at the time that the server gave, if any.
        case later(Duration?)
        /// This request is refused for good. Asking again is useless.
        case refused
        /// The service can't answer until a person corrects the settings: a wrong key, address or model.
        case setUp
        /// The budget is used up.
        case spent
        /// The task was cancelled.
        case cancelled
    }

    /// The appropriate reaction.
    public var kind: Kind
    /// One plain sentence without a full stop. It contains no words of an answer and no key.
    public var sentence: String

    public init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }
}

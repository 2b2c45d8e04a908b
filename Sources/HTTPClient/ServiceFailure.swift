/// Why a service that judges or writes gave no answer, by what to do about it.
public struct ServiceFailure: Error, Equatable, Sendable {
    /// What to do about it.
    public enum Kind: Equatable, Sendable {
        /// Ask again later; the server said when, or nil.
        case later(Duration?)
        /// This very request is refused, and will be: there is nothing to be gained by asking again.
        case refused
        /// Nothing will be answered until a person mends the settings: a wrong key, address or model.
        case setUp
        /// What may be spent is spent.
        case spent
        /// The task was cancelled.
        case cancelled
    }

    /// What to do about it.
    public var kind: Kind
    /// One plain sentence without a full stop: no words of an answer, no key.
    public var sentence: String

    public init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }
}

public import Foundation

/// Something of a session's results that is another than it was.
public struct SessionChange: Equatable, Sendable {
    public enum Thing: String, Sendable {
        /// An answer: that it is here, what is shown of it.
        case answer
        /// What was measured in an answer, typed, or said of it.
        case said
        /// The session's status, scores, and how far people are who mark it.
        case results
    }

    /// From 1 on; higher than that of whatever changed before.
    public var number: Int
    public var thing: Thing
    /// The answer's id; nil for the results.
    public var response: UUID?
}

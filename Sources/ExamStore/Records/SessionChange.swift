public import Foundation

/// A change in a session's results.
public struct SessionChange: Equatable, Sendable {
    public enum Thing: String, Sendable {
        /// An answer that arrived, or whose shown results changed.
        case answer
        /// Findings on an answer: measured, typed by the candidate or said by assessors.
        case said
        /// The session's status, its scores and the progress of its markers.
        case results
    }

    /// The number of the change, from 1 on. Later changes have higher numbers.
    public var number: Int
    public var thing: Thing
    /// The answer's id. Nil for the results.
    public var response: UUID?
}

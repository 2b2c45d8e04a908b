/// The questions of one exam, as a file states them. Frozen: a session keeps the copy it was held with.
public struct Paper: Codable, Equatable, Sendable {
    /// The version of this file's own layout; a reader refuses any other.
    public static let layoutVersion = 1

    public var version: Int
    /// Letters, digits, `-`, `.` and `_` only: it stands in logs and file names.
    public var id: String
    public var title: String
    /// Frames of questions by the name a format asks for (`topics`, `card`, `discussion` …).
    public var sections: [String: [Frame]]

    /// Questions on one topic, asked in order.
    public struct Frame: Codable, Equatable, Sendable {
        public var id: String
        /// Said before the first question: "Now let's talk about bridges."
        public var lead: Prompt?
        /// The id of the card that this frame carries on from (exam fact 4: Part 3 is tied to the card's topic).
        public var about: String?
        public var questions: [Question]
    }

    /// What the examiner says, with a recording where there is one: a path from the paper's folder.
    public struct Prompt: Codable, Equatable, Sendable {
        public var text: String
        public var audio: String?
    }

    public struct Question: Codable, Equatable, Sendable {
        /// Unique in the paper; letters, digits, `-`, `.` and `_`.
        public var id: String
        public var text: String
        public var audio: String?
        /// The same question in easier words, in the order they are tried.
        public var rephrased: [Prompt]?
        /// Asked once after too short an answer: "Why?" or "Why not?" (exam fact 11).
        public var followUp: Prompt?
        public var card: Card?
    }

    /// A cue card: a topic line, three or four points, and one aspect to explain (exam fact 6).
    public struct Card: Codable, Equatable, Sendable {
        public var topic: String
        public var points: [String]
        public var explain: String
    }
}

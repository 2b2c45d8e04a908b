/// One person's marks and comments for a whole exam. `marks.json` in a session's folder is a list with one sheet for
/// each person.
public struct MarkSheet: Codable, Equatable, Sendable {
    /// The marker's name or initials, chosen by the marker, 1 to 60 characters.
    public var marker: String
    /// ISO 8601 in UTC.
    public var markedAt: String
    /// The rubric that the marker used: `ielts-style/1`.
    public var rubric: String
    /// Half bands, 0 to 9. A criterion that was not marked is absent.
    public var bands: [Criterion: Double]
    /// The mark for topic relevance, 0 to 9, which is not a criterion.
    public var topicRelevance: Double?
    public var comments: [MarkComment]

    public init(
        marker: String, markedAt: String, rubric: String, bands: [Criterion: Double], topicRelevance: Double? = nil,
        comments: [MarkComment] = []
    ) {
        self.marker = marker
        self.markedAt = markedAt
        self.rubric = rubric
        self.bands = bands
        self.topicRelevance = topicRelevance
        self.comments = comments
    }
}

/// A marker's comment on a moment of an answer.
public struct MarkComment: Codable, Equatable, Sendable {
    /// The answer's name: `part1_q3`.
    public var answer: String
    /// Seconds from the recording's beginning.
    public var at: Double
    public var text: String

    public init(answer: String, at: Double, text: String) {
        self.answer = answer
        self.at = at
        self.text = text
    }
}

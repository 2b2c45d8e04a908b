/// One person's marks of a whole exam, and their comments; `marks.json` in a session's folder keeps a list of them, a sheet a person.
public struct MarkSheet: Codable, Equatable, Sendable {
    /// Who marked: a name or initials that the person chose, 1 to 60 characters.
    public var marker: String
    /// ISO 8601 in UTC.
    public var markedAt: String
    /// Which descriptors lay before them: `ielts-style/1`.
    public var rubric: String
    /// Half bands, 0 … 9; a criterion that was not marked is absent.
    public var bands: [Criterion: Double]
    /// Whether the answers were on the topic, 0 … 9: no criterion.
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

/// What a marker says of a moment of an answer.
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

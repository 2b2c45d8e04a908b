/// A mistake in an answer, with its correction.
public struct Mistake: Codable, Equatable, Sendable {
    public var original: String
    public var correction: String
    /// The assessor's name for the type: `grammar`, `word` …
    public var type: String?
    /// `articles`, `tense` …
    public var category: String?
    /// The place of `original` in the transcript in Unicode scalars: the first one, and the one after the last.
    public var start: Int?
    public var end: Int?

    public init(
        original: String, correction: String, type: String? = nil, category: String? = nil, start: Int? = nil,
        end: Int? = nil
    ) {
        self.original = original
        self.correction = correction
        self.type = type
        self.category = category
        self.start = start
        self.end = end
    }
}

extension Mistake {
    /// Whether the passage is correct and could be better.
    public var isPolish: Bool {
        ["style", "polish", "enhancement", "redundancy", "wordchoice"].contains((type ?? "").lowercased())
    }
}

/// Something that was said wrongly, and how it is said (E6).
public struct Mistake: Codable, Equatable, Sendable {
    public var original: String
    public var correction: String
    /// `grammar`, `word` …: the assessor's own words.
    public var type: String?
    /// `articles`, `tense` …
    public var category: String?
    /// Where `original` stands in the transcript, in characters (Unicode scalars): the first one, and the one after the last.
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

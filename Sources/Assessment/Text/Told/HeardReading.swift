/// The phones of a text that were heard when the candidate read it aloud or repeated it.
public struct HeardReading: Codable, Equatable, Sendable {
    /// The version of the rules by which they are found.
    package static let rules = "reading/1"

    /// The words of the text as they are compared: in lower case, without punctuation.
    public var words: [String]
    /// For each word, the share of its phones that were heard at its place, 0 to 1. Nil for a word whose pronunciation is
    /// unknown.
    public var shares: [Double?]
    /// The phones to insert, remove or replace to turn the heard ones into those of the text, divided by the number of
    /// the text's phones. 0 if it was heard exactly.
    public var distance: Double

    public init(words: [String], shares: [Double?], distance: Double) {
        self.words = words
        self.shares = shares
        self.distance = distance
    }

    /// Returns the words of a text.
    package static func words(of text: String) -> [String] { text.spokenWords.map(\.text) }

    /// Whether these are the words of this text.
    func isOf(_ text: String) -> Bool { words == Self.words(of: text) && shares.count == words.count }

    /// The share of a word's phones from which the word counts as heard.
    static let enough = 0.5
    /// The fewest words of a text for a mark, and the share of them whose pronunciation must be known.
    private static let (leastWords, leastKnown) = (3, 0.8)

    /// The feature by its name in a calibration. Empty if the text is too short, or if too many of its words are unknown.
    public var features: [String: Double] {
        let known = shares.count { $0 != nil }
        guard words.count >= Self.leastWords, Double(known) >= Self.leastKnown * Double(words.count) else { return [:] }
        return ["phoneDistance": (distance * 10_000).rounded() / 10_000]
    }
}

extension Collection<AssessorFinding> {
    /// The reading of a text in each recording, by its SHA-256. Of several findings, the last one counts.
    public var readings: [String: HeardReading] {
        reduce(into: [:]) { readings, finding in
            if let reading = finding.reading { readings[finding.recording] = reading }
        }
    }
}

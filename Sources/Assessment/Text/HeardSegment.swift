/// A word as a recogniser heard it.
public struct HeardWord: Codable, Equatable, Sendable {
    public var text: String
    /// Seconds from the recording's first sample. A recogniser's words include pauses, so these times are never used to
    /// measure pauses or rates.
    public var start: Double
    public var end: Double
    /// 0 to 1. Nil if the recogniser does not state it.
    public var confidence: Double?
    /// Whether the times are estimated from the length of the words. Nil if the recogniser gave them.
    public var isRough: Bool?
    /// The share of the phones in this part of the recording that differ from those of the words: below 0.25 most words
    /// are right, above 0.4 many are wrong. Nil if phones were not recognised.
    public var doubt: Double?

    public init(
        text: String, start: Double, end: Double, confidence: Double? = nil, isRough: Bool? = nil, doubt: Double? = nil
    ) {
        self.text = text
        self.start = start
        self.end = end
        self.confidence = confidence
        self.isRough = isRough
        self.doubt = doubt
    }
}

/// A segment of a recogniser's reply, before it is checked.
public struct HeardSegment: Equatable, Sendable {
    public var text: String
    /// In seconds. Nil if the recogniser gives no times.
    public var time: TimeRange?
    /// The probability that the segment has no speech, 0 to 1. Nil if the recogniser does not state it.
    public var noSpeech: Double?
    public var words: [HeardWord]

    public init(text: String, time: TimeRange? = nil, noSpeech: Double? = nil, words: [HeardWord] = []) {
        self.text = text
        self.time = time
        self.noSpeech = noSpeech
        self.words = words
    }

    /// The reason for discarding a segment: recognisers turn silence into "thank you for watching".
    public enum Doubt: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
        /// The recogniser itself considers it not to be speech, with a probability above 0.8.
        case noSpeech
        /// Less than half of it is speech in Oracy's own measurement.
        case silence
        /// One word three or more times in a row. By the later rules, also a group of up to ten words.
        case repetition
        /// More words than anyone can say in that time. Only by the later rules.
        case tooFast
    }
}

extension SoundTimeline {
    /// Returns the share of a time span that lies in speech, 0 to 1. Pauses below 0.9 s and a margin of 0.2 s around
    /// speech count as speech, because recognisers round their times and hesitant speech must be kept.
    func speechShare(of time: TimeRange) -> Double {
        guard let span, time.length > 0 else { return 0 }
        let margin = 0.2
        let quiet = silences.filter { $0.length - 2 * margin >= 0.5 }.map {
            TimeRange($0.start + margin, $0.end - margin)
        }
        let inside = time.overlap(TimeRange(max(0, span.start - margin), span.end + margin))
        return (inside - quiet.map(time.overlap).reduce(0, +)) / time.length
    }
}

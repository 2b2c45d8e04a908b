/// A word as a recogniser heard it.
public struct HeardWord: Codable, Equatable, Sendable {
    public var text: String
    /// Seconds from the recording's first sample. A recogniser's word swallows pauses: no pause and no rate is ever measured by these.
    public var start: Double
    public var end: Double
    /// 0 … 1; nil where the recogniser does not say.
    public var confidence: Double?

    public init(text: String, start: Double, end: Double, confidence: Double? = nil) {
        self.text = text
        self.start = start
        self.end = end
        self.confidence = confidence
    }
}

/// A stretch of a recogniser's answer, before it is believed.
public struct HeardSegment: Equatable, Sendable {
    public var text: String
    /// Seconds; nil where the recogniser gives no times.
    public var time: TimeRange?
    /// How likely it is that nobody spoke, 0 … 1; nil where the recogniser does not say.
    public var noSpeech: Double?
    public var words: [HeardWord]

    public init(text: String, time: TimeRange? = nil, noSpeech: Double? = nil, words: [HeardWord] = []) {
        self.text = text
        self.time = time
        self.noSpeech = noSpeech
        self.words = words
    }

    /// Why a segment is not believed: recognisers make silence into "thank you for watching".
    public enum Doubt: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
        /// The recogniser itself holds it for no speech, with more than 0.8.
        case noSpeech
        /// Less than half of it is speech by our own measure.
        case silence
        /// One word three times in a row, or oftener.
        case repetition
    }

    /// - Returns: nil where it is believed.
    public func doubt(in timeline: SoundTimeline) -> Doubt? {
        if let noSpeech, noSpeech > 0.8 { return .noSpeech }
        if let time, timeline.speechShare(of: time) < 0.5 { return .silence }
        let spoken = text.spokenWords.map(\.text)
        let isStuck = spoken.indices.dropLast(2).contains {
            spoken[$0] == spoken[$0 + 1] && spoken[$0] == spoken[$0 + 2]
        }
        return isStuck ? .repetition : nil
    }
}

extension SoundTimeline {
    /// How much of a stretch lies in speech, 0 … 1. Pauses below 0.9 s belong to it, and so does a fifth of a second around it:
    /// recognisers round their times, and hesitant speakers are not to be silenced for it.
    func speechShare(of time: TimeRange) -> Double {
        guard let span, time.length > 0 else { return 0 }
        let margin = 0.2
        let quiet = silences.filter { $0.length - 2 * margin >= 0.5 }.map {
            TimeRange($0.start + margin, $0.end - margin)
        }
        func overlap(_ other: TimeRange) -> Double {
            max(0, min(time.end, other.end) - max(time.start, other.start))
        }
        let inside = overlap(TimeRange(max(0, span.start - margin), span.end + margin))
        return (inside - quiet.map(overlap).reduce(0, +)) / time.length
    }
}

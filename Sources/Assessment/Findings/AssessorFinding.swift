/// What one assessor said of one answer: its evidence, and what was not believed of it. Kept once for each recording and version.
public struct AssessorFinding: Codable, Equatable, Sendable {
    /// The answer's name: `part1_q3`.
    public var answer: String
    /// SHA-256 of the recording that was assessed, as hexadecimal digits.
    public var recording: String
    /// SHA-256 of the words that were judged; nil where it was the sound.
    public var words: String?
    /// Who said it, and by which rules.
    public var source: MarkSource
    /// ISO 8601 in UTC.
    public var saidAt: String
    /// Where the recording or its words went; nil where they stayed on the machine.
    public var sentTo: String?
    /// What was recognised; nil where nothing was asked for or heard.
    public var transcript: AnswerTranscript?
    /// Marks, each on its own scale; a criterion that was to be judged and was not says why.
    public var evidence: [CriterionEvidence]
    public var pronunciation: PronunciationScores?
    /// What was wrong in the words, all of it standing in the transcript; nil where nobody looked.
    public var mistakes: [Mistake]?
    public var strengths: [String]
    public var improvements: [String]
    /// What was said and not believed, and how often.
    public var dropped: [Dropped: Int]
    /// Whether the answer seems to speak to its marker: a person should look (`SuspectInstructions`).
    public var suspectInstructions: Bool
    /// Why the answer was not assessed, and never will be by this version: one sentence without its full stop. nil where it was.
    public var failure: String?

    /// What is thrown away, and counted.
    public enum Dropped: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
        /// A segment that the recogniser itself holds for no speech; that lies in silence; that is one word again and again.
        case noSpeech, silence, repetition
        /// A quote that does not stand in the transcript.
        case quote
        /// A number that is no mark.
        case number
        /// A run of a language model that ended in the middle, said something else than what it was asked, or refused.
        case run

        public init(_ doubt: HeardSegment.Doubt) {
            switch doubt {
            case .noSpeech: self = .noSpeech
            case .silence: self = .silence
            case .repetition: self = .repetition
            }
        }
    }

    public init(answer: String, recording: String, source: MarkSource, saidAt: String, sentTo: String? = nil) {
        self.answer = answer
        self.recording = recording
        self.source = source
        self.saidAt = saidAt
        self.sentTo = sentTo
        evidence = []
        strengths = []
        improvements = []
        dropped = [:]
        suspectInstructions = false
    }

    public mutating func drop(_ what: Dropped, _ count: Int = 1) { dropped[what, default: 0] += count }
}

/// What a service measured of an answer's pronunciation: 0 … 100 each, on its own scale, which is no band's.
public struct PronunciationScores: Codable, Equatable, Sendable {
    public var overall: Double?
    public var accuracy: Double?
    /// Depends on how a recording was cut: it compares with nothing that was cut otherwise.
    public var fluency: Double?
    /// Only where something was to be read.
    public var completeness: Double?
    /// nil where the service does not judge it: its 0 says the same.
    public var prosody: Double?
    /// Whether the melody hardly moves; said once, though services put it on every word.
    public var isMonotone: Bool
    public var words: [Word]
    /// The seconds of the recording that were sent, piece by piece; they lose nothing.
    public var pieces: [TimeRange]

    public struct Word: Codable, Equatable, Sendable {
        public var text: String
        /// Seconds from the recording's first sample.
        public var start: Double
        public var end: Double
        public var accuracy: Double?
        public var error: Fault?
        /// A break that does not belong before it, or one that is missing, of which the service is surer than 0.75.
        public var unexpectedBreak: Bool?
        public var missingBreak: Bool?

        public init(text: String, start: Double, end: Double, accuracy: Double? = nil, error: Fault? = nil) {
            self.text = text
            self.start = start
            self.end = end
            self.accuracy = accuracy
            self.error = error
        }
    }

    /// What is wrong with a word (E3).
    public enum Fault: String, Codable, Sendable {
        case omission, insertion, mispronunciation
    }

    public init(pieces: [TimeRange]) {
        isMonotone = false
        words = []
        self.pieces = pieces
    }
}

/// One assessor's finding on one answer: its evidence, and counts of what was discarded. One is stored for each
/// recording and version.
public struct AssessorFinding: Codable, Equatable, Sendable {
    /// The answer's name: `part1_q3`.
    public var answer: String
    /// SHA-256 of the recording that was assessed, as hexadecimal digits.
    public var recording: String
    /// The SHA-256 of the judged words. Nil if the sound was judged.
    public var words: String?
    /// The assessor and the version of its rules.
    public var source: MarkSource
    /// ISO 8601 in UTC.
    public var saidAt: String
    /// The address that the recording or its words were sent to. Nil if they stayed on the machine.
    public var sentTo: String?
    /// The recognised words. Nil if recognition was not requested, or nothing was heard.
    public var transcript: AnswerTranscript?
    /// The marks, each on its own scale. A criterion that the assessor failed to judge has the reason instead.
    public var evidence: [CriterionEvidence]
    public var pronunciation: PronunciationScores?
    /// The number and clarity of the recording's phones, which also help to judge the delivery. Nil if no phones were
    /// heard.
    public var phones: HeardPhones?
    /// The reading of the text, if the candidate had one to read aloud or to repeat, and phones were heard. Otherwise nil.
    public var reading: HeardReading?
    /// The mistakes in the words. Each occurs in the transcript. Nil if they were not checked.
    public var mistakes: [Mistake]?
    public var strengths: [String]
    public var improvements: [String]
    /// The kinds of discarded statements, and how many of each.
    public var dropped: [Dropped: Int]
    /// Whether the answer seems to address its marker, so that a person should look at it (`SuspectInstructions`).
    public var suspectInstructions: Bool
    /// The reason why this version never assesses the answer: one sentence without a full stop. Nil if it was assessed.
    public var failure: String?

    /// A kind of statement that is discarded and counted.
    public enum Dropped: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
        /// A segment that the recogniser itself considers not to be speech, one that lies in silence, one that repeats
        /// words, or one with more words than anyone can say.
        case noSpeech, silence, repetition, tooFast
        /// A part of the recording whose words do not sound like the phones that were heard in it.
        case phones
        /// A part of the recording on which the recogniser failed.
        case unheard
        /// A quote that is not in the transcript.
        case quote
        /// An invalid mark.
        case number
        /// An invalid time of a word, or words that differ from the transcript's.
        case times
        /// A run of a language model that broke off, ignored the requested format, or refused.
        case run

        public init(_ doubt: HeardSegment.Doubt) {
            switch doubt {
            case .noSpeech: self = .noSpeech
            case .silence: self = .silence
            case .repetition: self = .repetition
            case .tooFast: self = .tooFast
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

    /// Whether parts were discarded in which the candidate spoke, so that their words are missing.
    package var lacksWords: Bool { [.repetition, .tooFast, .phones, .unheard].contains { (dropped[$0] ?? 0) > 0 } }

    public mutating func drop(_ what: Dropped, _ count: Int = 1) { dropped[what, default: 0] += count }
}

extension Collection<AssessorFinding> {
    /// The phones that were heard in each recording, by its SHA-256. Of several findings, the last one counts.
    public var phones: [String: HeardPhones] {
        reduce(into: [:]) { phones, finding in
            if let heard = finding.phones { phones[finding.recording] = heard }
        }
    }
}

/// A service's scores for the pronunciation of an answer: 0 to 100 each. The scale is the service's own, not that of
/// bands.
public struct PronunciationScores: Codable, Equatable, Sendable {
    public var overall: Double?
    public var accuracy: Double?
    /// The score for fluency. It depends on how the recording was cut, so only recordings cut in the same way are
    /// comparable.
    public var fluency: Double?
    /// Present only if the candidate had a text to read.
    public var completeness: Double?
    /// The score for prosody. Nil if the service does not judge prosody, in which case it reports 0.
    public var prosody: Double?
    /// Whether the pitch hardly changes. Stored once, although services report it with every word.
    public var isMonotone: Bool
    public var words: [Word]
    /// The parts of the recording that were sent, in seconds. Together they cover all of it.
    public var pieces: [TimeRange]

    public struct Word: Codable, Equatable, Sendable {
        public var text: String
        /// Seconds from the recording's first sample.
        public var start: Double
        public var end: Double
        public var accuracy: Double?
        public var error: Fault?
        /// An unexpected break before the word, or a missing one, if the service's confidence is above 0.75.
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

    /// An error in a word.
    public enum Fault: String, Codable, Sendable {
        case omission, insertion, mispronunciation
    }

    public init(pieces: [TimeRange]) {
        isMonotone = false
        words = []
        self.pieces = pieces
    }
}

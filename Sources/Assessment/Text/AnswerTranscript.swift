/// The words of one answer and their source. `transcripts.json` in a session's folder is a list of them.
public struct AnswerTranscript: Codable, Equatable, Sendable {
    /// The answer's name: `part1_q3`.
    public var answer: String
    /// The SHA-256 of the recording in which they were heard.
    public var recording: String
    public var source: Source
    /// ISO 8601 in UTC.
    public var writtenAt: String
    public var text: String
    /// All findings of checkers, one entry for each version of a checker.
    public var checks: [LanguageCheck]
    /// The recogniser with its version. Nil if the candidate typed the words.
    public var recogniser: MarkSource?
    /// The words with the recogniser's times. Nil if it gives none.
    public var words: [HeardWord]?
    /// Whether the recogniser writes what it hears, including fillers and false starts. Most remove them. Nil if the
    /// candidate typed the words.
    public var isVerbatim: Bool?
    /// Whether words are missing because parts of what was heard were discarded. Nil if not.
    public var isPartial: Bool?

    public enum Source: String, Codable, Sendable {
        /// The candidate typed what they said.
        case own
        /// A program recognised it.
        case recogniser
    }

    public init(
        answer: String, recording: String, source: Source, writtenAt: String, text: String,
        checks: [LanguageCheck] = []
    ) {
        self.answer = answer
        self.recording = recording
        self.source = source
        self.writtenAt = writtenAt
        self.text = text
        self.checks = checks
    }
}

extension Collection<AnswerTranscript> {
    /// Whether words were recognised, and all recognisers leave out fillers. In that case, a lack of fillers is no
    /// achievement.
    package var lackFillers: Bool {
        contains { $0.isVerbatim == false } && !contains { $0.isVerbatim == true }
    }
}

/// The findings of a grammar and word checker on a transcript.
public struct LanguageCheck: Codable, Equatable, Sendable {
    /// The checker with its version: `harper 0.2.0`.
    public var source: String
    public var mistakes: [Mistake]
    /// The address that the words were sent to. Nil if they stayed on the machine.
    public var sentTo: String?

    public init(source: String, mistakes: [Mistake], sentTo: String? = nil) {
        self.source = source
        self.mistakes = mistakes
        self.sentTo = sentTo
    }
}

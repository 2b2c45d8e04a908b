/// The words of one answer, and whose they are; `transcripts.json` in a session's folder keeps a list of them.
public struct AnswerTranscript: Codable, Equatable, Sendable {
    /// The answer's name: `part1_q3`.
    public var answer: String
    /// SHA-256 of the recording they were heard in.
    public var recording: String
    public var source: Source
    /// ISO 8601 in UTC.
    public var writtenAt: String
    public var text: String
    /// What checkers said of it; kept whole, one for each version of a checker.
    public var checks: [LanguageCheck]
    /// Which recogniser, with its version; nil where the candidate typed it.
    public var recogniser: MarkSource?
    /// As the recogniser times them; nil where it does not.
    public var words: [HeardWord]?
    /// Whether the recogniser writes what it hears, fillers and false starts included: most clean them away. nil where the candidate typed it.
    public var isVerbatim: Bool?

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
    /// Whether words were recognised, and nobody is known to write fillers down: then "no fillers" is no compliment.
    package var lackFillers: Bool {
        contains { $0.isVerbatim == false } && !contains { $0.isVerbatim == true }
    }
}

/// What a checker of grammar and words found in a transcript.
public struct LanguageCheck: Codable, Equatable, Sendable {
    /// Who found it, with the version: `harper 0.2.0`.
    public var source: String
    public var mistakes: [Mistake]
    /// The address that the words were sent to; nil where they stayed on the machine.
    public var sentTo: String?

    public init(source: String, mistakes: [Mistake], sentTo: String? = nil) {
        self.source = source
        self.mistakes = mistakes
        self.sentTo = sentTo
    }
}

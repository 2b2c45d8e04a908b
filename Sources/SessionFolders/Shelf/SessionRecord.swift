/// The facts of a sitting that the exam itself doesn't keep: when it began, and the person's consent.
///
/// Contains no name and nothing else about the person. It is stored in `session.json` and erased with the session.
public struct SessionRecord: Codable, Equatable, Sendable {
    /// The version of this file's own layout.
    public static let layoutVersion = 1

    /// `layoutVersion`, or an older version in an older file.
    public var version = SessionRecord.layoutVersion
    /// ISO 8601 in UTC, by the machine's clock: `2026-11-21T09:12:29Z`.
    public var startedAt: String
    /// The candidate's consent before the first recording.
    public var consent: Consent
    /// The folders of recordings that the format or the paper names.
    public var folders: [String]
    /// The command that speaks prompts without a recording.
    public var voice: [String]
    /// The name of the voice (`ExaminerVoice.name`); nil if the voice is known only by its command.
    public var voiceName: [String]?

    /// A person's consent to being recorded.
    public struct Consent: Codable, Equatable, Sendable {
        /// The words that the person agreed to.
        public var words: String
        /// The time of consent, ISO 8601 in UTC.
        public var givenAt: String

        /// - Parameter words: The words as they appeared on the screen.
        public init(words: String, givenAt: String) {
            self.words = words
            self.givenAt = givenAt
        }
    }

    public init(
        startedAt: String, consent: Consent, folders: [String], voice: [String], voiceName: [String]? = nil
    ) {
        self.startedAt = startedAt
        self.consent = consent
        self.folders = folders
        self.voice = voice
        self.voiceName = voiceName
    }
}

/// What a session keeps about the sitting beside the exam itself: when it began, what the person agreed to.
///
/// No name and nothing about the person; it lies in `session.json` and goes with the session.
public struct SessionRecord: Codable, Equatable, Sendable {
    /// The version of this file's own layout.
    public static let layoutVersion = 1

    /// `layoutVersion`, or an older one in a file of before.
    public var version = SessionRecord.layoutVersion
    /// ISO 8601 in UTC, by the machine's clock: `2026-11-21T09:12:29Z`.
    public var startedAt: String
    /// What the candidate agreed to before the first recording.
    public var consent: Consent
    /// Where recordings that the format or the paper names lie.
    public var folders: [String]
    /// The command that speaks what nobody recorded.
    public var voice: [String]

    /// A person's consent to being recorded.
    public struct Consent: Codable, Equatable, Sendable {
        /// The words that were agreed to.
        public var words: String
        /// ISO 8601 in UTC.
        public var givenAt: String

        /// - Parameter words: as they stood on the screen.
        public init(words: String, givenAt: String) {
            self.words = words
            self.givenAt = givenAt
        }
    }

    public init(startedAt: String, consent: Consent, folders: [String], voice: [String]) {
        self.startedAt = startedAt
        self.consent = consent
        self.folders = folders
        self.voice = voice
    }
}

import SystemSupport

/// The evidence that a seal covers: digests of the recordings and of the records that describe them. It holds only
/// hashes and ids: no words, sound or names.
///
/// The seal's hash is the SHA-256 of the manifest's canonical JSON (RFC 8785) in UTF-8. PROTOCOL.md defines every field.
public struct SealManifest: Codable, Equatable, Sendable {
    /// The name of the rules for making digests.
    public static let rules = "oracy-seal/1"

    /// One answer of the exam.
    public struct Answer: Codable, Equatable, Sendable {
        /// In lower case.
        public var id: String
        /// The answer's name, such as `part1_q3`.
        public var name: String
        /// SHA-256 of the answer's record, as canonical JSON.
        public var record: String
        /// SHA-256 of the recording's bytes.
        public var recording: String
        public var byteCount: Int
        public var mediaType: String
    }

    /// The exam's event log.
    public struct Log: Codable, Equatable, Sendable {
        public var lines: Int
        /// SHA-256 of the lines, each followed by a line feed.
        public var sha256: String
    }

    public var rules: String
    /// The session's id, in lower case.
    public var session: String
    public var held: HeldBy
    /// A time in UTC, such as `2026-11-21T09:12:29Z`.
    public var sealedAt: String
    /// SHA-256 of the session's facts as canonical JSON: its name, format, paper, mode, beginning, end and outcome.
    public var facts: String
    /// SHA-256 of `exam.json`, which holds the questions that were asked; nil for an exam that a client held.
    public var exam: String?
    /// Nil for an exam that a client held.
    public var log: Log?
    /// In the order of the exam.
    public var answers: [Answer]

    /// The canonical JSON.
    ///
    /// - Throws: `EncodingError`, which cannot happen for the types of a manifest.
    package func written() throws -> String { try CanonicalJSON(of: self).written }

    /// The seal's hash, computed from the text of a manifest: 64 hexadecimal digits in lower case.
    public static func hash(of manifest: String) -> String { SHA256.hexadecimal(of: Array(manifest.utf8)) }
}

/// The party that held an exam and vouches for its recordings.
public enum HeldBy: String, Codable, Sendable {
    /// A server of this backend asked the questions and recorded the answers.
    case server
    /// A program elsewhere recorded the answers and uploaded them.
    case client
}

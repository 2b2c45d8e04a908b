public import ExamCore

/// What a session left behind: written once, when the exam is over and every take is stored.
public struct Manifest: Codable, Equatable, Sendable {
    /// The version of this file's own layout.
    public static let layoutVersion = 1

    /// `layoutVersion`, or an older one in a file of before.
    public var version = Manifest.layoutVersion
    /// The session's id: its folder's name, unless it was given another.
    public var session: String
    /// Where the session stands (C1).
    public var status: SessionStatus
    /// nil: the room was closed before the exam was over.
    public var outcome: Exam.Outcome?
    /// The format's id.
    public var format: String
    /// The paper's id.
    public var paper: String
    /// The digest of `exam.json`: format, paper and options.
    public var examSHA256: String
    /// On the room's clock, pauses included.
    public var duration: Seconds
    /// In the order in which they were begun.
    public var takes: [StoredTake]
}

/// A take that is closed and on disk: what is known of the answer, and its file.
///
/// ```swift
/// for take in result.takes where take.speech.duration > .seconds(5) {
///     print(take.question, take.end, "\(result.folder.path)/\(take.file)")
/// }
/// ```
///
/// In a manifest the record's fields and the file's stand side by side.
@dynamicMemberLookup
public struct StoredTake: Equatable, Sendable {
    /// What is known of the answer, as every backend is told it.
    public var record: AnswerRecord
    /// In the session's folder: `takes/part1_q3.opus`; `.wav` where it could not be encoded.
    public var file: String
    /// Of the file.
    public var byteCount: Int
    /// Of the file, 64 hexadecimal digits.
    public var sha256: String

    /// The file that it has, or will have, as Ogg/Opus.
    var encodedFile: String {
        file.hasSuffix(".wav") ? file.dropLast(".wav".count) + ".opus" : file
    }

    /// The record's own facts: `take.question` is `take.record.question`.
    public subscript<Value>(dynamicMember fact: KeyPath<AnswerRecord, Value>) -> Value { record[keyPath: fact] }

    // Whoever records an answer knows these; `init(from:)` sees to it.
    /// How the answer ended, as in the log: `finished`, `noAnswer`, `timeUp.part` …
    public var end: String { record.end ?? "" }
    /// On the room's clock.
    public var openedAt: Seconds { record.openedAt ?? Seconds(.zero) }
    /// On the room's clock; after `openedAt`.
    public var closedAt: Seconds { record.closedAt ?? Seconds(.zero) }
    /// Of the recording.
    public var duration: Seconds { record.duration ?? Seconds(.zero) }
    /// How much of the recording the detector heard speech in.
    public var speech: Seconds { record.speech ?? Seconds(.zero) }
}

extension StoredTake: Codable {
    private enum CodingKeys: CodingKey { case file, byteCount, sha256, end, openedAt, closedAt, duration, speech }

    public init(from decoder: any Decoder) throws {
        record = try AnswerRecord(from: decoder)
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        for key in [CodingKeys.end, .openedAt, .closedAt, .duration, .speech] where !fields.contains(key) {
            throw DecodingError.keyNotFound(key, .init(codingPath: decoder.codingPath, debugDescription: "is missing"))
        }
        file = try fields.decode(String.self, forKey: .file)
        byteCount = try fields.decode(Int.self, forKey: .byteCount)
        sha256 = try fields.decode(String.self, forKey: .sha256)
    }

    public func encode(to encoder: any Encoder) throws {
        try record.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(file, forKey: .file)
        try fields.encode(byteCount, forKey: .byteCount)
        try fields.encode(sha256, forKey: .sha256)
    }
}

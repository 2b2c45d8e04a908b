public import ExamCore

/// The summary of a finished session, written once, when the exam is over and every take is stored.
public struct Manifest: Codable, Equatable, Sendable {
    /// The version of this file's own layout.
    public static let layoutVersion = 1

    /// `layoutVersion`, or an older version in an older file.
    public var version = Manifest.layoutVersion
    /// The session's id: its folder's name, unless the caller gave another.
    public var session: String
    /// The state of the session.
    public var status: SessionStatus
    /// The end of the exam; nil if the room was closed earlier.
    public var outcome: Exam.Outcome?
    /// The format's id.
    public var format: String
    /// The paper's id.
    public var paper: String
    /// The digest of `exam.json`: format, paper and options.
    public var examSHA256: String
    /// The length of the session on the room's clock, pauses included.
    public var duration: Seconds
    /// In the order in which they were begun.
    public var takes: [StoredTake]

    package init(
        session: String, status: SessionStatus, outcome: Exam.Outcome? = nil, format: String, paper: String,
        examSHA256: String, duration: Seconds, takes: [StoredTake]
    ) {
        self.session = session
        self.status = status
        self.outcome = outcome
        self.format = format
        self.paper = paper
        self.examSHA256 = examSHA256
        self.duration = duration
        self.takes = takes
    }
}

/// A closed take on disk: the facts about the answer, and its file.
///
/// ```swift
/// for take in result.takes where take.speech.duration > .seconds(5) {
///     print(take.question, take.end, "\(result.folder.path)/\(take.file)")
/// }
/// ```
///
/// In a manifest the record's fields and the file's are on the same level.
@dynamicMemberLookup
public struct StoredTake: AnswerBearing, Equatable, Sendable {
    /// The record of the answer, as every backend gets it.
    public var record: AnswerRecord
    /// The path in the session's folder: `takes/part1_q3.opus`; `.wav` if it could not be encoded.
    public var file: String
    /// The size of the file.
    public var byteCount: Int
    /// The digest of the file, 64 hexadecimal digits.
    public var sha256: String

    /// The path of the take's Ogg/Opus file, present or future.
    package var encodedFile: String {
        file.hasSuffix(".wav") ? file.dropLast(".wav".count) + ".opus" : file
    }

    /// Returns a fact of the record: `take.question` is `take.record.question`.
    public subscript<Value>(dynamicMember fact: KeyPath<AnswerRecord, Value>) -> Value { record[keyPath: fact] }

    // The recorder always sets these, and `init(from:)` requires them.
    /// The end of the answer, as in the log: `finished`, `noAnswer`, `timeUp.part` …
    public var end: String { record.end ?? "" }
    /// On the room's clock.
    public var openedAt: Seconds { record.openedAt ?? Seconds(.zero) }
    /// On the room's clock; after `openedAt`.
    public var closedAt: Seconds { record.closedAt ?? Seconds(.zero) }
    /// The length of the recording.
    public var duration: Seconds { record.duration ?? Seconds(.zero) }
    /// The speech that the detector heard in the recording.
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

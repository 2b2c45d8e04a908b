public import ExamCore

/// What a session left behind: written once, when the exam is over and every take is stored.
public struct Manifest: Codable, Equatable, Sendable {
    /// The version of this file's own layout.
    public static let layoutVersion = 1

    public var version = Manifest.layoutVersion
    public var session: String
    public var status: SessionStatus
    /// nil: the room was closed before the exam was over.
    public var outcome: Exam.Outcome?
    public var format: String
    public var paper: String
    /// The digest of `exam.json`: format, paper and options.
    public var examSHA256: String
    /// On the room's clock, pauses included.
    public var duration: Seconds
    public var takes: [StoredTake]
}

/// A take that is closed and on disk.
public struct StoredTake: Codable, Equatable, Sendable {
    /// In the session's folder: `takes/part1_q3.opus`; `.wav` where it could not be encoded.
    public var file: String
    /// The question's id in the paper, or the line's in the format.
    public var question: String
    public var part: Int
    /// 1, 2, 3 … among the answered turns of the part.
    public var order: Int
    public var attempt: Int
    /// How the answer ended, as in the log: `finished`, `noAnswer`, `timeUp.part` …
    public var end: String
    public var openedAt: Seconds
    public var closedAt: Seconds
    /// Of the recording: `closedAt` − `openedAt` without the time it was held for the examiner's words.
    public var duration: Seconds
    /// Of which the detector heard speech.
    public var speech: Seconds
    /// What the microphone missed meanwhile: silence in the recording; nil where nothing was missed.
    public var lost: Seconds?
    public var byteCount: Int
    public var sha256: String

    /// The file that it has, or will have, as Ogg/Opus.
    var encodedFile: String {
        file.hasSuffix(".wav") ? file.dropLast(".wav".count) + ".opus" : file
    }
}

public import AudioFiles
public import ExamCore

/// Where an exam takes place: an ear, a mouth and a clock on the wall.
///
/// Blocks keep coming while the room is open, whoever speaks: waiting here is how time passes. Every `play` ends in exactly
/// one of: `.promptEnded` from `next`, `.promptFailed` from `next`, or `stopPlaying`. A session calls a room from one task,
/// one call at a time.
public protocol ExamRoom: ~Copyable {
    /// The next thing that happens; nil: the room is closed. Moments never decrease.
    mutating func next() async throws -> Moment?

    /// Begins to play and returns at once. The session never plays two prompts at a time, and shows the view that goes with what is
    /// played before it waits for anything: `show` follows in the same step.
    mutating func play(_ prompt: Prompt) async throws

    /// Stops what is playing; nothing happens where nothing is.
    mutating func stopPlaying() async

    /// Shows where the exam is, after every change.
    mutating func show(_ view: SessionView) async
}

/// Something that happens in a room.
public struct Moment: Equatable, Sendable {
    public enum What: Equatable, Sendable {
        /// The microphone's last 20 ms, which end at this moment.
        case heard(AudioBlock)
        /// The examiner fell silent, the candidate pressed a key, a device was lost …
        case happened(Exam.Event)
    }

    /// On the room's clock, from when it was opened.
    public var at: ExamTime
    public var what: What

    public init(at: ExamTime, _ what: What) {
        self.at = at
        self.what = what
    }
}

/// A clip with its recording: a sound file of any kind `SoundFileReader` opens.
public struct Prompt: Hashable, Sendable {
    public var clip: Clip
    public var path: String

    public init(clip: Clip, path: String) {
        self.clip = clip
        self.path = path
    }
}

/// A session as it is seen from outside (A11).
public struct SessionView: Equatable, Sendable {
    /// When it was so, on the session's clock.
    public var at: ExamTime
    public var exam: ExamView
    /// Closed takes that are not encoded and on disk yet.
    public var storing: Int
    /// What went wrong and is not mended, in one sentence (A8); the exam goes on.
    public var problem: String?
}

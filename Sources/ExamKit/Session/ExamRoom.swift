public import AudioFiles
public import ExamCore

/// Where an exam takes place: a microphone, a loudspeaker and a clock.
///
/// ```swift
/// struct EmptyRoom: ExamRoom {  // Silent, and every prompt ends as soon as it begins.
///     var now = ExamTime.zero
///     var ended: Clip.ID?
///
///     mutating func next() async throws -> Moment? {
///         defer { ended = nil }
///         if let ended { return Moment(at: now, .happened(.promptEnded(ended))) }
///         now = now + .milliseconds(20)
///         return Moment(at: now, .heard(.silence))
///     }
///     mutating func play(_ prompt: Prompt) { ended = prompt.clip.id }
///     mutating func stopPlaying() { ended = nil }
///     mutating func show(_ view: SessionView) { print(view.at, view.exam.activity) }
/// }
/// ```
///
/// Blocks keep coming while the room is open, whoever speaks: waiting here is how time passes. Every `play` ends in exactly
/// one of: `.promptEnded` from `next`, `.promptFailed` from `next`, or `stopPlaying`. A session calls a room from one task,
/// one call at a time.
public protocol ExamRoom: ~Copyable {
    /// Whether the microphone may hear what is played. If not, as with headphones, a candidate who starts to speak together with the examiner is heard.
    var hearsExaminer: Bool { get }

    /// A session begins here, or goes on: its clock says so much when the room's says zero. Called once, before anything else.
    mutating func begins(at moment: ExamTime)

    /// The next thing that happens; nil: the room is closed. Moments never decrease.
    nonisolated(nonsending) mutating func next() async throws -> Moment?

    /// Begins to play and returns at once. The session never plays two prompts at a time, and shows the view that goes with what is
    /// played before it waits for anything: `show` follows in the same step.
    nonisolated(nonsending) mutating func play(_ prompt: Prompt) async throws

    /// Stops what is playing; nothing happens where nothing is.
    nonisolated(nonsending) mutating func stopPlaying() async

    /// Shows where the exam is, after every change.
    nonisolated(nonsending) mutating func show(_ view: SessionView) async

    /// The session is over here, or was left: microphone and loudspeaker may go. Nothing else is called after it.
    nonisolated(nonsending) mutating func close() async
}

extension ExamRoom where Self: ~Copyable {
    /// A room that says nothing else may have a loudspeaker.
    public var hearsExaminer: Bool { true }

    /// Most rooms have nothing to give back.
    nonisolated(nonsending) public mutating func close() async {}

    /// Most rooms need no clock but their own.
    public mutating func begins(at moment: ExamTime) {}
}

/// Something that happens in a room.
public struct Moment: Equatable, Sendable {
    /// What happened: sound, or anything else.
    public enum What: Equatable, Sendable {
        /// The microphone's last 20 ms, which end at this moment.
        case heard(AudioBlock)
        /// The examiner fell silent, the candidate pressed a key, a device was lost …
        case happened(Exam.Event)
    }

    /// On the room's clock, from when it was opened.
    public var at: ExamTime
    /// What happened then.
    public var what: What

    /// - Parameter at: on the room's clock; never before the moment that was handed out last.
    public init(at: ExamTime, _ what: What) {
        self.at = at
        self.what = what
    }
}

/// A clip with its recording: a sound file of any kind `SoundFileReader` opens.
public struct Prompt: Hashable, Sendable {
    /// What is to be said.
    public var clip: Clip
    /// Of the sound file; absolute, or from the current folder.
    public var path: String

    /// - Parameter path: of a sound file that can be read for as long as the session runs.
    public init(clip: Clip, path: String) {
        self.clip = clip
        self.path = path
    }
}

/// A session as it is seen from outside (A11).
public struct SessionView: Equatable, Sendable {
    /// When it was so, on the session's clock.
    public var at: ExamTime
    /// What a screen shows: phase, words, times and what may be asked for.
    public var exam: ExamView
    /// Closed takes that are not encoded and on disk yet.
    public var storing: Int
    /// What went wrong and is not mended, in one sentence (A8); the exam goes on.
    public var problem: String?
}

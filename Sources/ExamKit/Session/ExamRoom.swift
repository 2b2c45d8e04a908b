public import AudioFiles
public import ExamCore

/// A place for an exam: a microphone, a loudspeaker and a clock.
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
/// Blocks keep coming while the room is open, whether or not anyone speaks. They are the session's only clock. Every
/// `play` ends in exactly one of three ways: `.promptEnded` from `next`, `.promptFailed` from `next`, or `stopPlaying`.
/// A session calls a room from one task, one call at a time.
public protocol ExamRoom: ~Copyable {
    /// Whether the microphone may hear what the room plays. If not, as with headphones, the session also hears a
    /// candidate who speaks over the examiner.
    var hearsExaminer: Bool { get }

    /// Begins or resumes a session. When the room's clock is at zero, the session's clock is at `moment`. Called once,
    /// before anything else.
    mutating func begins(at moment: ExamTime)

    /// Waits for the next thing that happens and returns it; nil if the room is closed. Moments never decrease.
    nonisolated(nonsending) mutating func next() async throws -> Moment?

    /// Begins to play and returns at once. The session never plays two prompts at a time. It calls `show` with the
    /// matching view in the same step, before it waits for anything.
    nonisolated(nonsending) mutating func play(_ prompt: Prompt) async throws

    /// Stops the prompt that is playing, if any.
    nonisolated(nonsending) mutating func stopPlaying() async

    /// Shows the state of the exam, after every change.
    nonisolated(nonsending) mutating func show(_ view: SessionView) async

    /// Releases the microphone and the loudspeaker when the session is over or was left before its end. No other
    /// function is called afterwards.
    nonisolated(nonsending) mutating func close() async
}

extension ExamRoom where Self: ~Copyable {
    /// A room is assumed to have a loudspeaker.
    public var hearsExaminer: Bool { true }

    /// Does nothing: most rooms have nothing to release.
    nonisolated(nonsending) public mutating func close() async {}

    /// Does nothing: most rooms need only their own clock.
    public mutating func begins(at moment: ExamTime) {}
}

/// Something that happens in a room, with its time.
public struct Moment: Equatable, Sendable {
    /// The kind of thing that happened.
    public enum What: Equatable, Sendable {
        /// The microphone's last 20 ms. They end at this moment.
        case heard(AudioBlock)
        /// Anything else: the examiner fell silent, the candidate pressed a key, a device was lost …
        case happened(Exam.Event)
    }

    /// The time on the room's clock, which starts when the room is opened.
    public var at: ExamTime
    /// The event at that time.
    public var what: What

    /// - Parameter at: The time on the room's clock; never before the previous moment.
    public init(at: ExamTime, _ what: What) {
        self.at = at
        self.what = what
    }
}

/// A clip with its recording: a sound file of any kind that `SoundFileReader` opens.
public struct Prompt: Hashable, Sendable {
    /// The words to say.
    public var clip: Clip
    /// The path of the sound file, absolute or relative to the current folder.
    public var path: String

    /// - Parameter path: A sound file that stays readable for as long as the session runs.
    public init(clip: Clip, path: String) {
        self.clip = clip
        self.path = path
    }
}

/// The state of a session, as seen from outside.
public struct SessionView: Equatable, Sendable {
    /// The time on the session's clock.
    public var at: ExamTime
    /// The exam as a screen shows it: phase, words, times and the requests that the candidate may make.
    public var exam: ExamView
    /// The number of closed takes that are not yet encoded and on disk.
    public var storing: Int
    /// A problem that persists, in one sentence; the exam continues.
    public var problem: String?
}

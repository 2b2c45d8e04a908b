import AudioFiles
public import ExamCore
public import ExamKit
import SystemSupport

/// A room with a real person: a microphone, a loudspeaker, a screen and keys.
///
/// ```swift
/// var settings = PulseAudioRoom.Settings()
/// settings.shown = { view in print(view.exam.activity, view.exam.text ?? "") }
/// let room = try await PulseAudioRoom(settings)
/// let controls = room.controls
/// let session = try Session(prepared, in: room, folder: .create(at: "my-exam"))
/// Task.detached { if readLine() == "leave" { controls.leave() } }
/// let result = try await session.run()
/// ```
///
/// The microphone stays open as long as the room, and its samples are the room's clock: a block is 20 ms. While a
/// device is lost, the machine's clock continues instead. `Controls` accept the person's requests from any thread.
public final class PulseAudioRoom: ExamRoom {
    /// The devices to use, and the functions to call.
    public struct Settings: Sendable {
        /// The server in `PULSE_SERVER`'s syntax; nil for that of the environment and the user's configuration.
        public var server: String?
        /// The microphone's name (`AudioDevice.name`); nil for the default.
        public var microphone: String?
        /// The loudspeaker's name; nil for the default.
        public var loudspeaker: String?
        /// The microphone to prefer to `microphone` if it is present, for example one that was checked.
        public var preferredMicrophone: String?
        /// The time to wait for a lost device before the room is closed; the session is then saved and can be resumed.
        /// Two minutes are enough to find a cable or to restart a sound server.
        public var deviceTimeout: Duration = .seconds(120)
        /// The time for which a prompt is still heard after its last sample, in the room and on its way to the
        /// microphone. No answer begins earlier, so that no take contains the examiner's voice. Zero with headphones.
        public var echo: Duration = .zero
        /// Whether the microphone may hear the loudspeaker. False with headphones: the exam then listens to the
        /// candidate while the examiner speaks, and the examiner yields to a candidate who continues an answer.
        public var hearsExaminer = true
        /// The prompts that the candidate speaks along with. Each counts as ended when it begins, but is played to its
        /// end. Use headphones for them, since the microphone would hear a loudspeaker too.
        public var spokenAlong: Set<Clip.ID> = []
        /// Called with the state of the exam after every change, on the session's task.
        public var shown: @Sendable (SessionView) -> Void = { _ in }
        /// Called with the level of the last tenth of a second and its time on the session's clock.
        public var heard: @Sendable (LevelMeter.Reading, ExamTime) -> Void = { _, _ in }

        /// The default devices, without functions to call.
        public init() {}
    }

    /// An event in the room.
    enum News: Sendable {
        case heard(AudioBlock)
        case lost(Duration)
        case happened(Exam.Event)
        /// The play with this number has ended.
        case played(Int, Exam.Event)
    }

    /// The person's controls. Use them from any thread.
    public struct Controls: Sendable {
        fileprivate let inbox: Inbox<News>

        /// Makes a request. The exam decides whether to grant it.
        public func ask(_ event: Exam.Event) {
            inbox.put(.happened(event))
        }

        /// Closes the room: the session is saved and can be resumed.
        public func leave() {
            inbox.close()
        }
    }

    private let inbox = Inbox<News>()
    private let watch: DeviceWatch
    private let settings: Settings
    private var meter = LevelMeter()
    private var now = ExamTime.zero
    /// The number of plays, since the same clip may be played again before the news of its first end is read.
    private var plays = 0
    /// The play whose end is expected; nil if nothing is playing, or it was stopped.
    private var playing: Int?
    /// Whether a prompt that the candidate speaks along with may still be playing.
    private var isHeardAlong = false
    /// The difference between the session's clock and the room's: the time before the session was resumed.
    private var before: Duration = .zero
    /// While a device is lost: the beginning of the loss by the machine's clock, and the room's time at that moment.
    private var lost: (since: Duration, at: ExamTime)?

    /// Opens the microphone and the loudspeaker. Takes at most 6 s.
    ///
    /// - Throws: `Exam.Trouble` if no usable device or no server is found.
    public init(_ settings: Settings = Settings()) async throws {
        self.settings = settings
        watch = DeviceWatch(settings, inbox: inbox)
        do {
            try await watch.open()
        } catch {
            watch.close()
            throw error
        }
    }

    deinit {
        watch.close()
    }

    /// The controls, for the code that reads the keys. Use them from any thread, even after the room is closed.
    public var controls: Controls { Controls(inbox: inbox) }

    /// The name of the microphone in use.
    public var microphone: String { watch.microphoneName }

    public var hearsExaminer: Bool { settings.hearsExaminer }

    public func begins(at moment: ExamTime) {
        before = moment.sinceBegin
    }

    public func next() async -> Moment? {
        while let item = await inbox.next() {
            switch item {
            case .heard(let block):
                now = now + AudioFormat.blockDuration
                if let reading = meter.hear(block) { settings.heard(reading, now + before) }
                return Moment(at: now, .heard(block))
            case .lost(let span):
                now = now + span
                return Moment(at: now, .happened(.soundLost(span)))
            case .happened(let event):
                return happened(event)
            case .played(let number, let event):
                guard number == playing else { continue }  // The news comes late, from an earlier play.
                playing = nil
                return happened(event)
            }
        }
        return nil
    }

    private func happened(_ event: Exam.Event) -> Moment {
        if let lost { now = max(now, lost.at + (SteadyClock.now - lost.since)) }
        switch event {
        case .deviceLost: lost = (SteadyClock.now, now)
        case .deviceBack: lost = nil
        default: break
        }
        return Moment(at: now, .happened(event))
    }

    /// Discards the sound heard so far.
    func forgetSound() {
        inbox.forget { if case .heard = $0 { true } else { false } }
    }

    public func play(_ prompt: Prompt) {
        if isHeardAlong { watch.stopPlaying() }
        plays += 1
        playing = plays
        watch.play(prompt.path, clip: prompt.clip.id, number: plays)
        isHeardAlong = settings.spokenAlong.contains(prompt.clip.id)
        // The news of its real end comes later and is ignored.
        if isHeardAlong { inbox.put(.played(plays, .promptEnded(prompt.clip.id))) }
    }

    public func stopPlaying() {
        playing = nil
        watch.stopPlaying()
    }

    public func show(_ view: SessionView) {
        settings.shown(view)
    }

    /// Releases the microphone and the loudspeaker. The room can't be opened again.
    public func close() {
        watch.close()
    }
}

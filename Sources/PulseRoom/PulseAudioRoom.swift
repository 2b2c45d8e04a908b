import AudioFiles
public import ExamCore
public import ExamKit

/// A room with a person in it: a microphone, a loudspeaker, a screen and keys.
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
/// The microphone stays open while the room is, and its samples are the room's clock: a block is 20 ms. While a device is lost
/// the machine's own clock goes on instead. `Controls` take what the person asks for, from any thread.
public final class PulseAudioRoom: ExamRoom {
    /// Which devices, and who is told what.
    public struct Settings: Sendable {
        /// `PULSE_SERVER`'s syntax; nil: as the environment and the user's configuration say.
        public var server: String?
        /// The devices' names (`AudioDevice.name`); nil: the defaults.
        public var microphone: String?
        /// nil: the default.
        public var loudspeaker: String?
        /// The microphone to use if it is there, before the one above: the one that was checked, say.
        public var preferredMicrophone: String?
        /// How long a lost device is waited for before the room is closed: then the session is saved and can be resumed.
        /// Two minutes: enough to find a cable, or to restart a sound server.
        public var deviceTimeout: Duration = .seconds(120)
        /// How long after its last sample a prompt still sounds, in the room and on its way to the microphone: no answer
        /// begins before, so that the examiner's voice is in no take. Zero with headphones.
        public var echo: Duration = .zero
        /// Whether the microphone may hear the loudspeaker. False with headphones: then the exam listens to the candidate while the examiner speaks,
        /// and the examiner yields to one who goes on with an answer.
        public var hearsExaminer = true
        /// Prompts along with which the candidate speaks: each counts as ended when it begins, and is heard to its end. With headphones, since the
        /// microphone hears a loudspeaker, too.
        public var spokenAlong: Set<Clip.ID> = []
        /// Where the exam is, after every change; on the session's task.
        public var shown: @Sendable (SessionView) -> Void = { _ in }
        /// How loud the last tenth of a second was, and when, on the session's clock.
        public var heard: @Sendable (LevelMeter.Reading, ExamTime) -> Void = { _, _ in }

        /// The default devices; nobody is told anything.
        public init() {}
    }

    /// What happened in the room.
    enum News: Sendable {
        case heard(AudioBlock)
        case lost(Duration)
        case happened(Exam.Event)
        /// The play of this number came to its end.
        case played(Int, Exam.Event)
    }

    /// What a person may do, from any thread.
    public struct Controls: Sendable {
        fileprivate let inbox: Inbox<News>

        /// Asks for something; the exam decides whether it is granted.
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
    /// Plays are numbered, since the same clip may be played again before the news of its end are read (A19).
    private var plays = 0
    /// The play whose end is waited for; nil where none is, or it was stopped.
    private var playing: Int?
    /// One that is spoken along with may still be heard.
    private var isHeardAlong = false
    /// How much later the session's clock is than the room's: by what was before it was resumed.
    private var before: Duration = .zero
    /// While a device is lost: since when, by the machine's clock, and what time it was in the room.
    private var lost: (since: Duration, at: ExamTime)?

    /// Opens microphone and loudspeaker.
    ///
    /// - Throws: `Exam.Trouble` where there are none that can be used, or no server. Takes 6 s at most.
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

    /// For whoever reads the keys; from any thread, also after the room is closed.
    public var controls: Controls { Controls(inbox: inbox) }

    /// The microphone that is used, by name.
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
                guard number == playing else { continue }  // Late news of an earlier play.
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

    /// Forgets what was heard until now.
    func forgetSound() {
        inbox.forget { if case .heard = $0 { true } else { false } }
    }

    public func play(_ prompt: Prompt) {
        if isHeardAlong { watch.stopPlaying() }
        plays += 1
        playing = plays
        watch.play(prompt.path, clip: prompt.clip.id, number: plays)
        isHeardAlong = settings.spokenAlong.contains(prompt.clip.id)
        // The news of its real end come late, and are none.
        if isHeardAlong { inbox.put(.played(plays, .promptEnded(prompt.clip.id))) }
    }

    public func stopPlaying() {
        playing = nil
        watch.stopPlaying()
    }

    public func show(_ view: SessionView) {
        settings.shown(view)
    }

    /// Gives microphone and loudspeaker back; the room is not opened again.
    public func close() {
        watch.close()
    }
}

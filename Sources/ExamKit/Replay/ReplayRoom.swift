import AudioFiles
import ExamCore
import SessionFolders
public import SystemSupport

/// A room made of recordings: a recorded candidate, an examiner who may leak into the microphone, and background noise.
///
/// ```swift
/// let candidate = Candidate(turns: ["full-name": .says("name.flac")], otherwise: .says("answer.flac"))
/// let room = try ReplayRoom(prepared, candidate: candidate)
/// let result = try await Session(prepared, in: room, folder: .create(at: "my-exam")).run()
/// ```
///
/// The room's time advances by 20 ms with each block, without waiting. A 14-minute exam therefore takes only as long as
/// its computation, and always runs in the same way.
public struct ReplayRoom: ExamRoom {
    /// The sounds that the microphone hears besides the candidate.
    public struct Surroundings: Equatable, Sendable {
        /// The room's own hiss, dB of full scale (RMS, white); nil for digital silence.
        public var tone: Float?
        /// A sound file that plays in a loop, amplified by `backgroundGain` dB.
        public var background: String?
        /// In dB: 0 plays `background` as it is, negative numbers make it quieter.
        public var backgroundGain: Float = 0
        /// The level at which the microphone hears the examiner's loudspeaker, in dB relative to the recording; nil for
        /// headphones.
        public var leak: Float?

        /// - Parameter tone: The hiss, dB of full scale; −70 is a quiet room.
        public init(tone: Float? = -70) {
            self.tone = tone
        }
    }

    private let script: ExamScript
    private let candidate: Candidate
    private let surroundings: Surroundings
    private var now = ExamTime.zero
    private var events: [Exam.Event] = []
    private var playing: Playing?
    private var leaking: BlockReader?
    private var background: BlockReader?
    private var hiss: Hiss?
    private var steps: ArraySlice<Candidate.Step> = []
    private var stage: Stage?
    private var voice: BlockReader?
    private var voiceGain: Float = 1
    private var waitUntil: ExamTime?
    private var heardExaminer = false
    private var isSuspended = false

    private struct Playing {
        var clip: Clip.ID
        var until: ExamTime
    }

    /// The place in a turn that the candidate's steps belong to.
    private struct Stage: Equatable {
        var turn: Int
        var activity: Activity

        enum Activity { case prompt, preparation, answer }
    }

    /// - Throws: `Problem` if the background cannot be opened.
    public init(
        _ sitting: PreparedExam,
        candidate: Candidate,
        surroundings: Surroundings = Surroundings()
    ) throws(Problem) {
        script = sitting.script
        self.candidate = candidate
        self.surroundings = surroundings
        hiss = surroundings.tone.map(Hiss.init)
        if let path = surroundings.background { background = try Self.open(path) }
    }

    public var hearsExaminer: Bool { surroundings.leak != nil }

    /// Returns the next 20 ms of sound, or an event in between. Returns nil if the candidate has suspended the exam and
    /// does nothing more, so that a forgotten `continue` doesn't run forever.
    public mutating func next() throws(Problem) -> Moment? {
        try takeSteps()
        if !events.isEmpty { return Moment(at: now, .happened(events.removeFirst())) }
        if isSuspended && voice == nil && (steps.isEmpty || steps.first == .listen) { return nil }
        let block = try mix()
        now = now + AudioFormat.blockDuration
        if let playing, now >= playing.until {
            self.playing = nil
            leaking = nil
            events.append(.promptEnded(playing.clip))
        }
        return Moment(at: now, .heard(block))
    }

    public mutating func play(_ prompt: Prompt) {
        precondition(playing == nil, "the examiner speaks already")
        do throws(SoundFileError) {
            playing = Playing(clip: prompt.clip.id, until: now + (try duration(ofWholeSoundFile: prompt.path)))
            if surroundings.leak != nil { leaking = try BlockReader(path: prompt.path) }
        } catch {
            playing = nil
            events.append(.promptFailed(prompt.clip.id))
        }
    }

    public mutating func stopPlaying() {
        playing = nil
        leaking = nil
    }

    // MARK: - The candidate

    public mutating func show(_ view: SessionView) {
        isSuspended = view.exam.activity == .suspended
        guard let turn = view.exam.turn else { return }
        let activity: Stage.Activity
        switch view.exam.activity {
        case .examinerSpeaking:
            heardExaminer = true
            // Words of the examiner during or after an answer don't start a new prompt.
            if let stage, stage.turn == turn { return }
            activity = .prompt
        case .preparing: activity = .preparation
        case .waitingForSpeech, .speaking, .closing: activity = .answer
        case .idle, .transition, .suspended: return
        }
        let stage = Stage(turn: turn, activity: activity)
        guard stage != self.stage else { return }
        self.stage = stage
        let id = script.turns[turn].id
        let turns = candidate.turns[id] ?? candidate.otherwise ?? Candidate.Turn()
        switch activity {
        case .prompt: steps = turns.prompt[...]
        case .preparation: steps = turns.preparation[...]
        case .answer: steps = turns.answer[...]
        }
        voice = nil
        waitUntil = nil
        heardExaminer = false
    }

    /// Performs the candidate's steps as long as they take no time.
    private mutating func takeSteps() throws(Problem) {
        while voice == nil, let step = steps.first {
            switch step {
            case .say(let path, let gain):
                voice = try Self.open(path)
                voiceGain = factor(gain)
            case .wait(let span):
                let until = waitUntil ?? now + span
                waitUntil = until
                if now < until { return }
                waitUntil = nil
            case .listen:
                // `listen` is done once the examiner has spoken since these steps began, or since the last `listen`.
                guard heardExaminer, playing == nil else { return }
                heardExaminer = false
            case .act(let event):
                if event == .asked(.repeat) { heardExaminer = false }
                events.append(event)
            }
            steps.removeFirst()
        }
    }

    // MARK: - The microphone's signal

    private mutating func mix() throws(Problem) -> AudioBlock {
        var block = try voiceBlock() ?? .silence
        if voiceGain != 1 && voice != nil { block.scale(by: voiceGain) }
        if let leak = try next(of: leaking) { block.add(leak, gain: factor(surroundings.leak!)) }
        if let path = surroundings.background {
            var noise = try next(of: background)
            if noise == nil { noise = try restarted(path) }
            if let noise { block.add(noise, gain: factor(surroundings.backgroundGain)) }
        }
        hiss?.add(to: &block)
        if voiceGain > 1 || background != nil || leaking != nil { block.clip() }
        return block
    }

    private mutating func voiceBlock() throws(Problem) -> AudioBlock? {
        guard voice != nil else { return nil }
        if let block = try next(of: voice) { return block }
        voice = nil
        // The next step begins with this very block.
        try takeSteps()
        return try next(of: voice)
    }

    private mutating func restarted(_ background: String) throws(Problem) -> AudioBlock? {
        self.background = try Self.open(background)
        return try next(of: self.background)
    }

    private func next(of reader: BlockReader?) throws(Problem) -> AudioBlock? {
        guard let reader else { return nil }
        return try withSound { () throws(SoundFileError) in try reader.next() }
    }

    private static func open(_ path: String) throws(Problem) -> BlockReader {
        try withSound { () throws(SoundFileError) in try BlockReader(path: path) }
    }

    private func factor(_ decibels: Float) -> Float { decibels == 0 ? 1 : .decibels(decibels) }
}

import AudioFiles
public import ExamCore
import Glibc
public import SystemSupport
public import VoiceActivity

/// Holds one exam in a room: waits, decides, acts, again. The only loop there is.
///
/// ```swift
/// let prepared = try await PreparedExam(.builtIn("ielts-style"), .builtIn("bridges"))
/// let session = try Session(prepared, in: room, folder: .create(at: "my-exam"))
/// let result = try await session.run()
/// for take in result.takes { print(take.question, take.file) }
/// ```
///
/// It is run once, by one task, and on that task's actor if it has one: a `main.swift` may run it as it stands.
public final class Session<Room: ExamRoom & ~Copyable> {
    private let folder: SessionFolder
    private let id: String
    private let script: ExamScript
    private let prompts: [Clip: Prompt]
    private let examSHA256: String
    private var room: Room
    private var exam: Exam
    private var detector: VoiceDetector
    private var problems = OpenProblems()
    private var recorder: AnswerRecorder
    private let log: SessionLog
    private let clock: SessionClock
    /// What writes to disk runs here; nil: where the session runs.
    private let disk: (any TaskExecutor)?
    /// The room's time when the room was opened: a session that is resumed goes on counting.
    private let opened: ExamTime
    private var now: ExamTime

    /// Prepares to hold an exam and freezes what it is held with.
    ///
    /// - Parameters:
    ///   - folder: an empty one; the session's log and takes go there.
    ///   - id: the session's name in its manifest; the folder's own where nil.
    ///   - detector: how voices are told from noise; a raised gate keeps a loudspeaker out.
    ///   - encoding: whether closed takes become Ogg/Opus; else they stay WAV.
    ///   - stored: told of each take once its file is as it will stay, while the exam goes on: to have it uploaded, say. It may
    ///     take its time: it runs on no thread that the exam waits for.
    /// - Throws: `Problem.unwritable`.
    public init(
        _ sitting: PreparedExam,
        in room: consuming Room,
        folder: SessionFolder,
        id: String? = nil,
        detector: VoiceDetector.Settings = VoiceDetector.Settings(),
        encoding: Bool = true,
        stored: @escaping @Sendable (StoredTake) -> Void = { _ in }
    ) throws(Problem) {
        let sha256 = try folder.freeze(sitting)
        let log = try SessionLog(path: folder.log, script: sitting.script)
        let account = TakeBookkeeping(script: sitting.script)
        let recorder = try AnswerRecorder(
            account, folder: folder, storing: encoding ? .opus : .wav, hearsExaminer: room.hearsExaminer,
            stored: stored)
        examSHA256 = sha256
        self.log = log
        self.recorder = recorder
        self.detector = VoiceDetector(detector)
        clock = SessionClock(path: folder.clock)
        disk = nil
        exam = Exam(sitting.script)
        self.folder = folder
        self.id = id ?? folder.name
        self.room = room
        script = sitting.script
        prompts = sitting.recordings
        opened = .zero
        now = .zero
    }

    /// Goes on with a session that was left or killed: at the last committed answer, with the clocks where they were.
    ///
    /// A take that was open is closed with what is in it, and its question is asked again.
    ///
    /// - Parameters:
    ///   - sitting: made by `PreparedExam(resuming:)` from the same folder.
    ///   - disk: what writes the log and the takes runs there, in order, and the session waits for it; nil: where the session
    ///     runs. For sessions on threads that must not wait for a disk, as an event loop's.
    ///   - stored: as in a new session; told of the takes that were stored before it was left, too.
    /// - Throws: `Problem`: `occupied` where another process is using the session; `malformed` where its log cannot be read;
    ///   `unwritable`.
    public init(
        resuming sitting: PreparedExam,
        in room: consuming Room,
        folder: SessionFolder,
        detector: VoiceDetector.Settings = VoiceDetector.Settings(),
        writingOn disk: (any TaskExecutor)? = nil,
        stored: @escaping @Sendable (StoredTake) -> Void = { _ in }
    ) throws(Problem) {
        let left = try Resumption(folder, script: sitting.script)
        let sha256 = try PrivateFile.digest(folder.exam).sha256
        let recorder = try AnswerRecorder(
            left.account, closed: left.takes, folder: folder, storing: .opus,
            hearsExaminer: room.hearsExaminer, stored: stored)
        examSHA256 = sha256
        self.recorder = recorder
        self.detector = VoiceDetector(detector)
        log = left.log
        clock = SessionClock(path: folder.clock)
        self.disk = disk
        exam = left.exam
        self.folder = folder
        id = folder.name
        self.room = room
        script = sitting.script
        prompts = sitting.recordings
        opened = left.at
        now = left.at
    }

    /// Holds the exam to its end, or until the room is closed; waits until its answers are stored, and closes the room.
    ///
    /// What happens in an exam (no answer, a withdrawal, a clock that ran out) is in the result, not an error.
    ///
    /// - Throws: `Problem.unwritable` where log or takes cannot be written: everything until then is kept; and whatever the
    ///   room throws.
    nonisolated(nonsending) public func run() async throws -> SessionResult {
        let result: Result<SessionResult, any Error>
        do {
            var held = try await hold()
            result = .success(try await held.store())
            if held.outcome != nil { await room.show(held.view) }
        } catch {
            result = .failure(error)
        }
        // Whoever made this value may keep it for as long as the program lives.
        await room.close()
        log.release()
        return try result.get()
    }

    /// Holds the exam as `run` does, but does not wait until its answers are stored: nothing more is heard, so a server may lend
    /// the thread to another exam. The room stays open.
    ///
    /// - Throws: as `run`.
    nonisolated(nonsending) public func hold() async throws -> HeldSession {
        do {
            try await holdToEnd()
        } catch {
            recorder.abandon()
            _ = try? await recorder.storing.takes()
            guard var problem = error as? Problem, problem.kind == .unwritable else { throw error }
            problem.sentence += "; what was recorded until then is kept in \(folder.path)"
            throw problem
        }
        return HeldSession(
            folder: folder, id: id, script: script, examSHA256: examSHA256, log: log, storing: recorder.storing,
            exam: exam, at: now, problems: problems)
    }

    nonisolated(nonsending) private func holdToEnd() async throws {
        room.begins(at: opened)
        if case .waiting = exam.phase {
            try await act(.begin)
        } else if !exam.isOver {
            try await act(.deviceLost(.processEnded))
            try await act(.deviceBack)
        }
        while !exam.isOver {
            guard let moment = try await room.next() else { break }
            let at = opened + moment.at.sinceBegin
            precondition(at >= now, "a room's moments never decrease")
            now = at
            switch moment.what {
            case .heard(let block):
                recorder.append(block)
                if recorder.isFlushDue { try await write { session throws(Problem) in try session.recorder.flush() } }
                let (changes, time) = hear(block)
                for event in changes { try await act(event) }
                // Time comes fifty times a second and hardly ever asks for anything; then it has changed nothing, unless the exam is over: a
                // test holds the machine to it.
                let commands = exam.handle(time, at: now)
                if !commands.isEmpty || exam.isOver { try await carryOut(commands, after: time) }
                if case .preparing = exam.phase, clock.isDue(now) { try await write { $0.clock.keep($0.now) } }
            case .happened(let event):
                try await act(event)
            }
        }
        // The room was closed before the end: what was recorded counts as it is.
        if !exam.isOver { try await act(.deviceLost(.roomClosed)) }
    }

    /// What the detector makes of a block, dated on the room's clock; and that its time has passed.
    private func hear(_ block: AudioBlock) -> (changes: [Exam.Event], time: Exam.Event) { hear(block, with: &detector) }

    /// - Parameter detector: the session's own, lent once: asked for by name, it would be copied for each question.
    private func hear(
        _ block: AudioBlock, with detector: inout VoiceDetector
    ) -> (changes: [Exam.Event], time: Exam.Event) {
        var events: [Exam.Event] = []
        let heard = detector.sampleCount
        let blockBegan = now - AudioFormat.blockDuration
        // A sample of the detector's count, as a moment: nothing is assumed of blocks that never came.
        func moment(_ sample: Int) -> ExamTime {
            blockBegan + AudioFormat.duration(ofSamples: sample - heard)
        }
        block.samples.withUnsafeBufferPointer { samples in
            detector.hear(samples) { change in
                switch change {
                case .began(let sample): events.append(.voiceBegan(moment(sample)))
                case .ended(let sample, let sound):
                    events.append(.voiceEnded(moment(sample), as: EndOfAnswer.Sound(sound)))
                }
            }
        }
        if events.contains(where: { if case .voiceEnded(_, .speech) = $0 { true } else { false } }) {
            weighNoise(detector.voiceOverNoise)
        }
        return (events, detector.mayHaveBegun.map { .timePassedUnsure(since: moment($0)) } ?? .timePassed)
    }

    /// One step: the exam decides, the log is written, and only then is anything done.
    nonisolated(nonsending) private func act(_ event: Exam.Event) async throws {
        let before = exam
        let commands = exam.handle(event, at: now)
        // What is said while a take runs on changes nothing in the exam, but is part of the answer.
        if commands.isEmpty && exam == before && !(exam.owed != nil && event.isVoice) { return }
        try await carryOut(commands, after: event)
    }

    nonisolated(nonsending) private func carryOut(_ commands: [Exam.Command], after event: Exam.Event) async throws {
        problems.note(event)
        try await write { session throws(Problem) in
            try session.log.append(event, at: session.now, exam: session.exam, commands: commands)
            try session.recorder.note(event, at: session.now)
            for command in commands { try session.recorder.perform(command, at: session.now) }
        }
        // A take that runs on has nothing of the next question in it. Far away that is not heard before it is noticed.
        if room.hearsExaminer, exam.isHeardAskingOn {
            recorder.mute()
            detector.stopListening()
        }
        for command in commands { try await perform(command) }
        await room.show(SessionView(of: exam, at: now, recorder.storing.progress.now, problems))
    }

    /// Looks after each burst of speech whether the detector can hear an answer's end; 1 dB of hysteresis, so that it is not said
    /// and taken back all the time.
    ///
    /// - Parameter distance: of the voice over the noise, in dB; nil where it is not known.
    private func weighNoise(_ distance: Float?) {
        guard let distance else { return }
        problems.isNoisy = distance < VoiceDetector.leastVoiceOverNoise + (problems.isNoisy ? 1 : 0)
    }

    /// Does what waits for a disk, and waits for it.
    nonisolated(nonsending) private func write(_ work: (Session) throws(Problem) -> Void) async throws {
        guard let disk else { return try work(self) }
        // This task waits until it is done: nothing else touches the session meanwhile.
        nonisolated(unsafe) let (session, work) = (self, work)
        try await Self.run(on: disk) { try work(session) }
    }

    /// Leaves the caller's thread, which a function that stays with its caller would not.
    @concurrent private static func run(on disk: any TaskExecutor, _ work: () throws -> Void) async throws {
        try await withTaskExecutorPreference(disk) { try work() }
    }

    nonisolated(nonsending) private func perform(_ command: Exam.Command) async throws {
        switch command {
        case .play(let clip):
            guard let prompt = prompts[clip] else { preconditionFailure("\(clip.id) is in no script of this session") }
            if !room.hearsExaminer, recorder.isOpen, !detector.isListening { detector.listen() }
            try await room.play(prompt)
        case .stopPlaying:
            await room.stopPlaying()
        case .openTake, .resumeTake:
            detector.listen()
        case .holdTake, .closeTake:
            detector.stopListening()
        case .runOn, .warn, .offer, .choose:
            break  // The view shows what time is left, and what is allowed.
        }
    }
}

extension EndOfAnswer.Sound {
    /// The same in the words of the exam, which imports no detector.
    public init(_ sound: VoiceChange.Sound) {
        switch sound {
        case .speech: self = .speech
        case .doubtful: self = .doubtful
        case .distant: self = .distant
        case .unvoiced: self = .unvoiced
        }
    }
}

extension Exam.Event {
    var isVoice: Bool {
        switch self {
        case .voiceBegan, .voiceEnded: true
        default: false
        }
    }
}

extension Exam {
    /// How it ended; nil while it goes on.
    var outcome: Outcome? {
        switch phase {
        case .processing(let outcome), .over(let outcome): outcome
        case .waiting, .gap, .speaking, .preparing, .answering, .suspended: nil
        }
    }

    /// Nothing more is asked.
    var isOver: Bool { outcome != nil }
}

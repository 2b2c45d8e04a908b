import AudioFiles
public import ExamCore
import Glibc
public import SessionFolders
public import SystemSupport
public import VoiceActivity

/// Holds one exam in a room: waits, decides, acts, and repeats. There is no other loop.
///
/// ```swift
/// let prepared = try await PreparedExam(.builtIn("ielts-style"), .builtIn("bridges"))
/// let session = try Session(prepared, in: room, folder: .create(at: "my-exam"))
/// let result = try await session.run()
/// for take in result.takes { print(take.question, take.file) }
/// ```
///
/// Run it once, from one task. The session stays on the task's actor, if the task has one, so a `main.swift` can run it
/// directly.
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
    /// The executor for disk writes; nil to write wherever the session runs.
    private let disk: (any TaskExecutor)?
    /// The room's time when the room was opened. A resumed session continues its clock.
    private let opened: ExamTime
    private var now: ExamTime

    /// Prepares to hold an exam and freezes its format, paper and options.
    ///
    /// - Parameters:
    ///   - folder: An empty folder for the session's log and takes.
    ///   - id: The session's name in its manifest; the folder's name if nil.
    ///   - detector: The settings that distinguish voices from noise. A raised gate keeps a loudspeaker out.
    ///   - encoding: Whether closed takes become Ogg/Opus; otherwise they stay WAV.
    ///   - stored: Called with each take once its file is final, while the exam continues, for example to upload it.
    ///     It may be slow: the exam never waits for the thread that runs it.
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

    /// Resumes a session that was left before its end, or killed. It continues after the last committed answer, with
    /// the clocks unchanged. A take that was open is closed with the sound recorded so far, and its question is asked
    /// again.
    ///
    /// - Parameters:
    ///   - sitting: Made by `PreparedExam(resuming:)` from the same folder.
    ///   - disk: Runs the writes of the log and the takes in order, while the session suspends. Pass one if the
    ///     session's thread must not wait for a disk, as on an event loop. If nil, the session writes wherever it runs.
    ///   - stored: As in a new session. It is also called with the takes that were stored before the session was left.
    /// - Throws: `Problem`: `occupied` if another process is using the session; `malformed` if its log cannot be read;
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

    /// Holds the exam to its end, or until the room is closed. Then waits until its answers are stored, and closes the
    /// room.
    ///
    /// A missing answer, a withdrawal or a time limit is part of the result, not an error.
    ///
    /// - Throws: `Problem.unwritable` if the log or the takes cannot be written (everything until then is kept), and
    ///   any error of the room.
    nonisolated(nonsending) public func run() async throws -> SessionResult {
        let result: Result<SessionResult, any Error>
        do {
            var held = try await hold()
            result = .success(try await held.store())
            if held.outcome != nil { await room.show(held.view) }
        } catch {
            result = .failure(error)
        }
        // The owner of this value may keep it for as long as the program lives.
        await room.close()
        log.release()
        return try result.get()
    }

    /// Holds the exam as `run` does, but doesn't wait until its answers are stored. The room no longer listens, so a
    /// server may lend the thread to another exam. The room stays open.
    ///
    /// - Throws: The same errors as `run`.
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
                // This event comes fifty times a second and hardly ever returns a command. Without commands the exam
                // has not changed, unless it is over. A test verifies this for `Exam`.
                let commands = exam.handle(time, at: now)
                if !commands.isEmpty || exam.isOver { try await carryOut(commands, after: time) }
                if case .preparing = exam.phase, clock.isDue(now) { try await write { $0.clock.keep($0.now) } }
            case .happened(let event):
                try await act(event)
            }
        }
        // The room was closed before the end. The recording so far is kept as it is.
        if !exam.isOver { try await act(.deviceLost(.roomClosed)) }
    }

    /// Returns the detector's events for a block, with times on the room's clock, and the event that the block's time
    /// has passed.
    private func hear(_ block: AudioBlock) -> (changes: [Exam.Event], time: Exam.Event) { hear(block, with: &detector) }

    /// - Parameter detector: The session's own detector, passed `inout` once. Reading it through `self` would copy it
    ///   for each question.
    private func hear(
        _ block: AudioBlock, with detector: inout VoiceDetector
    ) -> (changes: [Exam.Event], time: Exam.Event) {
        var events: [Exam.Event] = []
        let heard = detector.sampleCount
        let blockBegan = now - AudioFormat.blockDuration
        // Converts a sample of the detector's count to a moment. Blocks that never came are not assumed to have a
        // length.
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

    /// Performs one step: the exam decides, the log is written, and only then are the commands carried out.
    nonisolated(nonsending) private func act(_ event: Exam.Event) async throws {
        let before = exam
        let commands = exam.handle(event, at: now)
        // Speech while a take runs on doesn't change the exam, but is part of the answer.
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
        // A take that runs on must not contain the next question. On a far screen, the candidate hears that question
        // only once the client has noticed it.
        if room.hearsExaminer, exam.isHeardAskingOn {
            recorder.mute()
            detector.stopListening()
        }
        for command in commands { try await perform(command) }
        await room.show(SessionView(of: exam, at: now, recorder.storing.progress.now, problems))
    }

    /// Checks after each burst of speech whether the voice is loud enough over the noise for the detector to hear the
    /// end of an answer. A hysteresis of 1 dB keeps the message from flickering.
    ///
    /// - Parameter distance: The level of the voice over the noise, in dB; nil if unknown.
    private func weighNoise(_ distance: Float?) {
        guard let distance else { return }
        problems.isNoisy = distance < VoiceDetector.leastVoiceOverNoise + (problems.isNoisy ? 1 : 0)
    }

    /// Runs work that waits for a disk, and waits for it.
    nonisolated(nonsending) private func write(_ work: (Session) throws(Problem) -> Void) async throws {
        guard let disk else { return try work(self) }
        // This task waits until the work is done, so nothing else touches the session meanwhile.
        nonisolated(unsafe) let (session, work) = (self, work)
        try await Self.run(on: disk) { try work(session) }
    }

    /// Leaves the caller's thread. A `nonsending` function would stay on it.
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
            break  // The view shows the time left and the allowed wishes.
        }
    }
}

extension EndOfAnswer.Sound {
    /// Converts the detector's kind of sound to the exam's, because the exam core does not import the detector.
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
    /// The end of the exam; nil while it is running.
    var outcome: Outcome? {
        switch phase {
        case .processing(let outcome), .over(let outcome): outcome
        case .waiting, .gap, .speaking, .preparing, .answering, .suspended: nil
        }
    }

    /// Whether the exam asks nothing more.
    var isOver: Bool { outcome != nil }
}

import AudioFiles
public import ExamCore
import Glibc
import VoiceActivity

/// Holds one exam in a room: waits, decides, acts, again. The only loop there is.
///
/// ```swift
/// let sitting = try await Sitting(.builtIn("ielts-style"), .builtIn("bridges"))
/// let session = try Session(sitting, in: room, folder: .create(at: "/tmp/exam"))
/// let result = try await session.run()
/// ```
public struct Session<Room: ExamRoom & ~Copyable>: ~Copyable {
    private let folder: SessionFolder
    private let id: String
    private let script: ExamScript
    private let prompts: [Clip: Prompt]
    private let examSHA256: String
    private var room: Room
    private var exam: Exam
    private var ears = VoiceDetector()
    private var recorder: AnswerRecorder
    private let log: SessionLog
    private var now = ExamTime.zero

    /// Prepares to hold an exam and freezes what it is held with.
    ///
    /// - Parameters:
    ///   - folder: an empty one; the session's log and takes go there.
    ///   - id: the session's name in its manifest; the folder's own where nil.
    ///   - encoding: whether closed takes become Ogg/Opus; else they stay WAV.
    /// - Throws: `Problem.unwritable`.
    public init(
        _ sitting: Sitting,
        in room: consuming Room,
        folder: SessionFolder,
        id: String? = nil,
        encoding: Bool = true
    ) throws(Problem) {
        let sha256 = try folder.freeze(sitting)
        let log = try SessionLog(path: folder.log, script: sitting.script)
        self.folder = folder
        self.id = id ?? String(folder.path.split(separator: "/").last ?? "session")
        self.room = room
        script = sitting.script
        prompts = sitting.recordings
        exam = Exam(sitting.script)
        recorder = AnswerRecorder(script: sitting.script, folder: folder, storing: encoding ? .opus : .wav)
        examSHA256 = sha256
        self.log = log
    }

    /// Holds the exam to its end, or until the room is closed.
    ///
    /// What befalls an exam (no answer, a withdrawal, a clock that ran out) is in the result, not an error.
    ///
    /// - Throws: `Problem.unwritable` where log or takes cannot be written: everything until then is kept; and whatever the
    ///   room throws.
    public consuming func run() async throws -> SessionResult {
        do {
            try await hold()
        } catch {
            recorder.abandon()
            _ = try? await recorder.storedTakes()
            guard var problem = error as? Problem, problem.kind == .unwritable else { throw error }
            problem.sentence += "; what was recorded until then is kept in \(folder.path)"
            throw problem
        }
        let takes = try await recorder.storedTakes()
        try await act(.takesStored)
        var manifest = Manifest(
            session: id,
            status: .inProgress,
            outcome: nil,
            format: script.formatID,
            paper: script.paperID,
            examSHA256: examSHA256,
            duration: Seconds(now.sinceBegin),
            takes: takes
        )
        if case .over(let outcome) = exam.phase {
            manifest.status = .completed
            manifest.outcome = outcome
        }
        try PrivateFile.replace(folder.manifest, with: JSONFile.encode(manifest))
        return SessionResult(folder: folder, manifest: manifest, problem: recorder.progress.now.problem)
    }

    private mutating func hold() async throws {
        try await act(.begin)
        while !exam.isOver {
            guard let moment = try await room.next() else { break }
            precondition(moment.at >= now, "a room's moments never decrease")
            now = moment.at
            switch moment.what {
            case .heard(let block):
                try recorder.append(block)
                for event in hear(block) { try await act(event) }
                try await act(.timePassed)
            case .happened(let event):
                try await act(event)
            }
        }
        // The room was closed before the end: what was recorded counts as it is.
        if !exam.isOver { try await act(.deviceLost(.roomClosed)) }
    }

    /// What the ears make of a block, dated on the room's clock.
    private mutating func hear(_ block: AudioBlock) -> [Exam.Event] {
        var events: [Exam.Event] = []
        let heard = ears.sampleCount
        let blockBegan = now - .milliseconds(20)
        block.samples.withUnsafeBufferPointer { samples in
            ears.hear(samples) { change in
                // A sample of the detector's count, as a moment: nothing is assumed of blocks that never came.
                func moment(_ sample: Int) -> ExamTime { blockBegan + .microseconds((sample - heard) * 1000 / 16) }
                switch change {
                case .began(let sample): events.append(.voiceBegan(moment(sample)))
                case .ended(let sample): events.append(.voiceEnded(moment(sample)))
                }
            }
        }
        return events
    }

    /// One step: the exam decides, the log is written, and only then is anything done.
    private mutating func act(_ event: Exam.Event) async throws {
        let commands: [Exam.Command]
        if case .timePassed = event {
            // It comes 50 times a second, so exams are not compared: a test holds the machine to it that time which asks
            // for nothing has changed nothing, unless the exam is over.
            commands = exam.handle(event, at: now)
            if commands.isEmpty && !exam.isOver { return }
        } else {
            let before = exam
            commands = exam.handle(event, at: now)
            if commands.isEmpty && exam == before { return }
        }
        try log.append(event, at: now, exam: exam, commands: commands)
        switch event {
        case .voiceBegan(let onset): recorder.voiceBegan(at: onset)
        case .voiceEnded(let offset): recorder.voiceEnded(at: offset)
        default: break
        }
        for command in commands { try await perform(command) }
        let storing = recorder.progress.now
        let view = SessionView(
            exam: exam.view(at: now),
            storing: storing.pending,
            problem: storing.problem?.sentence
        )
        await room.show(view)
    }

    private mutating func perform(_ command: Exam.Command) async throws {
        switch command {
        case .play(let clip):
            guard let prompt = prompts[clip] else { preconditionFailure("\(clip.id) is in no script of this session") }
            try await room.play(prompt)
        case .stopPlaying:
            await room.stopPlaying()
        case .openTake(let take):
            try recorder.openTake(take, at: now)
            ears.listen()
        case .holdTake:
            try recorder.holdTake(at: now)
            ears.stopListening()
        case .resumeTake:
            recorder.resumeTake()
            ears.listen()
        case .closeTake(_, let end):
            try recorder.closeTake(end, at: now)
            ears.stopListening()
        case .warn:
            break  // The view shows what time is left.
        }
    }
}

/// What an exam left behind.
public struct SessionResult: Sendable {
    public let folder: SessionFolder
    public let manifest: Manifest
    /// Why some takes were kept without being encoded; nil where all were.
    public let problem: Problem?

    /// How the exam ended; nil where the room was closed before its end.
    public var outcome: Exam.Outcome? { manifest.outcome }
    public var takes: [StoredTake] { manifest.takes }
}

extension Exam {
    /// Nothing more is asked.
    var isOver: Bool {
        switch phase {
        case .processing, .over: true
        case .waiting, .gap, .speaking, .preparing, .answering, .suspended: false
        }
    }
}

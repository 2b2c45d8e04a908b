import AudioFiles
public import ExamCore
import Glibc
public import SystemSupport

/// A summary of a session on disk: its exam, its state and its takes. Reading one changes nothing.
public struct SessionSummary: Sendable {
    /// The session's folder.
    public let folder: SessionFolder
    /// The time when it began; nil if it wasn't recorded, as in a replay, or can't be read.
    public private(set) var startedAt: WallTime?
    /// The format's id. This, `paper` and `options` are nil if `exam.json` cannot be read.
    public private(set) var format: String?
    /// The paper's id.
    public private(set) var paper: String?
    /// The options of the sitting; nil if they can't be read.
    public internal(set) var options: ExamOptions?
    /// Whether it is running, can be resumed, or is over.
    public internal(set) var state: State
    /// The takes in the manifest once the exam is over. Until then they come from the log and the files, without
    /// digests. An interrupted answer is included as resuming would end it: `deviceLost`.
    public internal(set) var takes: [StoredTake] = []

    /// The name of its folder.
    public var id: String { folder.name }

    /// The size of all its files at the time of the call.
    public var byteCount: Int { folder.byteCount }

    /// The speech that the detector heard in all takes.
    public var speech: Duration { takes.reduce(.zero) { $0 + $1.speech.duration } }

    /// The state of a session.
    public enum State: Equatable, Sendable {
        /// A program is using it at this moment: the exam is running.
        case inUse
        /// It was left before its end, or killed. `Session(resuming:)` resumes it.
        case resumable(at: Place)
        /// It is over, with the way it ended.
        case over(Exam.Outcome)
        /// Something in it cannot be read: one sentence with file and field.
        case broken(String)
    }

    /// The place at which an unfinished exam resumes.
    public enum Place: Equatable, Sendable {
        /// Before the first question.
        case beginning
        /// At a question: the part's number, the question's number among the answered ones of the part (0 if nothing is
        /// to be answered there), and its id.
        case turn(part: Int, order: Int, id: String)
        /// Everything has been said. Answers are still to be encoded or counted.
        case storing
    }

    /// Reads a summary. The session's files may be in any state.
    public init(_ folder: SessionFolder) {
        self.init(folder, Result { () throws(Problem) in try folder.readRecord() })
    }

    /// - Parameter record: The content of `session.json`, or the problem with it.
    init(_ folder: SessionFolder, _ record: Result<SessionRecord?, Problem>) {
        // Checked first, so that a session that ends meanwhile still shows as in use.
        let isInUse = SessionLog.isLocked(folder.log)
        let files = FileState(of: folder.exam, folder.record, folder.manifest)
        if !isInUse, let known = Self.over.value(of: folder.path, in: files) {
            self = known
            return
        }
        self.folder = folder
        state = .inUse
        do throws(Problem) {
            let state = try read(record, whileInUse: isInUse)
            if !isInUse { self.state = state }
            if case .over = self.state { Self.over.remember(self, of: folder.path, in: files) }
        } catch {
            if !isInUse { state = .broken(error.sentence) }
        }
    }

    /// The sessions that are over and were read.
    private static let over = KnownFiles<SessionSummary>()

    /// Reads as far as possible: what was read before a failure stays.
    private mutating func read(
        _ record: Result<SessionRecord?, Problem>, whileInUse isInUse: Bool
    ) throws(Problem) -> State {
        let heading = try folder.examHeading()
        (format, paper, options) = (heading.format.id, heading.paper.id, heading.options)
        startedAt = try record.get().flatMap { WallTime(utc: $0.startedAt) }
        // If the session was resumed, the manifest is outdated until the exam is over.
        if let manifest = try folder.readManifest(), let outcome = manifest.outcome {
            takes = manifest.takes
            return .over(outcome)
        }
        let frozen = try folder.frozenExam()
        let (script, validation) = ExamScript.assemble(frozen.format, frozen.paper, options: frozen.options)
        guard let script else {
            throw Problem(.malformed, "\(folder.exam): \(validation.errors.joined(separator: "; "))")
        }
        guard access(folder.log, F_OK) == 0 else { return .resumable(at: .beginning) }
        let logged = try LoggedSession(folder.log, script: script)
        takes = (isInUse ? logged.takes : logged.takesIfLeftNow).map(found)
        return .resumable(at: Place(logged.exam.phase, of: script))
    }

    /// Returns the take with the file it has, or without one if the file is gone.
    private func found(_ take: StoredTake) -> StoredTake {
        var take = take
        var status = stat()
        let encoded = take.encodedFile
        if stat("\(folder.path)/\(encoded)", &status) == 0 {
            take.file = encoded
            let length = try? AudioFiles.duration(ofSoundFile: "\(folder.path)/\(encoded)")
            take.record.duration = Seconds(length ?? .zero)
        } else if stat("\(folder.path)/\(take.file)", &status) == 0 {
            let samples = GrowingWAV.sampleCount(ofSize: Int(status.st_size))
            take.record.duration = Seconds(AudioFormat.duration(ofSamples: samples))
        }
        take.byteCount = Int(status.st_size)
        return take
    }
}

extension SessionSummary.Place {
    init(_ phase: Exam.Phase, of script: ExamScript) {
        let index: Int
        switch phase {
        case .waiting:
            self = .beginning
            return
        case .processing, .over:
            self = .storing
            return
        case .suspended(let suspension):
            self.init(suspension.was, of: script)
            return
        case .gap(let prompt, _): index = prompt.turn
        case .speaking(let speech): index = speech.turn
        case .preparing(let preparing): index = preparing.turn
        case .answering(let turn, _): index = turn
        }
        let turn = script.turns[index]
        self = .turn(part: script.parts[turn.part].number, order: turn.order, id: turn.id)
    }
}

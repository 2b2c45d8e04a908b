import AudioFiles
public import ExamCore
import Glibc
public import SystemSupport

/// A session on disk at one glance: what it is, where it stands, what is in it. Reading one changes nothing.
public struct SessionSummary: Sendable {
    /// Where it lies.
    public let folder: SessionFolder
    /// nil where nobody wrote it down, as in a replay, or where it cannot be read.
    public private(set) var startedAt: WallTime?
    /// The format's id; nil with the next two where `exam.json` cannot be read.
    public private(set) var format: String?
    /// The paper's id.
    public private(set) var paper: String?
    /// What the sitting had of its own; nil where that cannot be read.
    public internal(set) var options: ExamOptions?
    /// Whether it goes on, can be gone on with, or is over.
    public internal(set) var state: State
    /// As in the manifest once the exam is over. Until then as the log and the files tell them, without digests; an answer
    /// that was broken off is among them as going on with the session would end it: `deviceLost`.
    public internal(set) var takes: [StoredTake] = []

    /// The name of its folder.
    public var id: String { folder.name }

    /// Of all its files, as they are when this is asked.
    public var byteCount: Int { folder.files.reduce(0) { $0 + $1.byteCount } }

    /// What the detector heard in all takes.
    public var speech: Duration { takes.reduce(.zero) { $0 + $1.speech.duration } }

    /// Where a session stands.
    public enum State: Equatable, Sendable {
        /// A program has it at this moment: the exam goes on.
        case inUse
        /// It was left or killed; `Session(resuming:)` goes on with it.
        case resumable(at: Place)
        /// With how it ended.
        case over(Exam.Outcome)
        /// Something in it cannot be read: one sentence with file and field.
        case broken(String)
    }

    /// Where an exam stands that was not finished.
    public enum Place: Equatable, Sendable {
        /// Before the first question.
        case beginning
        /// At a question: the part's number, the question's among those of the part that are answered (0: nobody answers
        /// what is said there), and its id.
        case turn(part: Int, order: Int, id: String)
        /// All is said; answers are still to be encoded, or counted.
        case storing
    }

    /// Looks at a session, whatever state its files are in.
    public init(_ folder: SessionFolder) {
        self.init(folder, Result { () throws(Problem) in try folder.readRecord() })
    }

    /// - Parameter record: what `session.json` holds, or what is wrong with it.
    init(_ folder: SessionFolder, _ record: Result<SessionRecord?, Problem>) {
        self.folder = folder
        state = .inUse
        // Asked first: a session that ends meanwhile is shown as in use, and not as something that it never was.
        let isInUse = SessionLog.isLocked(folder.log)
        do throws(Problem) {
            let state = try read(record, whileInUse: isInUse)
            if !isInUse { self.state = state }
        } catch {
            if !isInUse { state = .broken(error.sentence) }
        }
    }

    /// What was read before something could not be stays.
    private mutating func read(
        _ record: Result<SessionRecord?, Problem>, whileInUse isInUse: Bool
    ) throws(Problem) -> State {
        let heading = try folder.examHeading()
        (format, paper, options) = (heading.format.id, heading.paper.id, heading.options)
        startedAt = try record.get().flatMap { WallTime(utc: $0.startedAt) }
        // Of a session that was gone on with, the manifest is an old one until the exam is over.
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

    /// The take with the file it has; with none, where that is gone.
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

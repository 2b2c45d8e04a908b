import AudioFiles
import ExamCore

/// Writes the candidate's answers to disk as they are spoken, one take each, and has closed ones encoded off the loop.
///
/// A take is a WAV file while it is open: what was heard up to a quarter of a second ago is on disk and playable at every
/// moment. When it is closed, an encoder makes Ogg/Opus of it, and only when that is whole and on disk does the WAV go.
struct AnswerRecorder: ~Copyable {
    /// About 32 kbit/s (B2): speech at 16 kHz is transparent there to most listeners.
    static let opusBitRate = 32_000
    /// Samples collected before they are written: 0.24 s. Fewer system calls; a kill loses no more.
    private static let writeSize = 12 * HouseSound.blockSize

    enum Storing: Sendable {
        /// Closed takes become Ogg/Opus.
        case opus
        /// Closed takes stay as they are, and nobody waits for the disk: for replays, which can be held again.
        case wav
    }

    private let script: ExamScript
    private let folder: SessionFolder
    private let storing: Storing
    private var open: OpenTake?
    private var file: GrowingWAV?
    private var waiting: [Float] = []
    private var closed: [Task<StoredTake, any Error>] = []
    /// What the encoders have done so far.
    let progress = StoringProgress()

    private struct OpenTake {
        var take: Exam.Take
        var openedAt: ExamTime
        var isHeld = false
        /// When the burst in progress began.
        var voiceSince: ExamTime?
        var speech: Duration = .zero

        mutating func voiceEnded(at now: ExamTime) {
            if let since = voiceSince { speech += max(now - since, .zero) }
            voiceSince = nil
        }
    }

    init(script: ExamScript, folder: SessionFolder, storing: Storing) {
        self.script = script
        self.folder = folder
        self.storing = storing
        waiting.reserveCapacity(Self.writeSize)
    }

    mutating func openTake(_ take: Exam.Take, at now: ExamTime) throws(Problem) {
        precondition(open == nil, "a take is open already")
        let path = "\(folder.takes)/\(script.name(of: take)).wav"
        file = try withSound { () throws(SoundFileError) in try GrowingWAV(path: path) }
        open = OpenTake(take: take, openedAt: now)
    }

    mutating func holdTake(at now: ExamTime) throws(Problem) {
        open?.voiceEnded(at: now)
        open?.isHeld = true
        try flush()
    }

    mutating func resumeTake() {
        open?.isHeld = false
    }

    /// Takes in 20 ms of the microphone; kept only while a take is open and not held.
    mutating func append(_ block: AudioBlock) throws(Problem) {
        guard let open, !open.isHeld else { return }
        waiting.append(contentsOf: block.samples)
        if waiting.count >= Self.writeSize { try flush() }
    }

    mutating func voiceBegan(at onset: ExamTime) {
        if open?.isHeld == false { open?.voiceSince = onset }
    }

    mutating func voiceEnded(at offset: ExamTime) {
        open?.voiceEnded(at: offset)
    }

    /// Closes the open take and hands it to the encoder; returns without waiting for it.
    mutating func closeTake(_ end: AnswerEnd, at now: ExamTime) throws(Problem) {
        guard var open else { preconditionFailure("no take is open") }
        open.voiceEnded(at: now)
        try flush()
        let samples = file?.sampleCount ?? 0
        file = nil
        self.open = nil
        let turn = script.turns[open.take.turn]
        let name = script.name(of: open.take)
        let take = StoredTake(
            file: "takes/\(name).wav",
            question: turn.id,
            part: script.parts[turn.part].number,
            order: turn.order,
            attempt: open.take.attempt,
            end: end.text,
            openedAt: Seconds(open.openedAt.sinceBegin),
            closedAt: Seconds(now.sinceBegin),
            duration: Seconds(.milliseconds(samples * 1000 / HouseSound.sampleRate)),
            speech: Seconds(open.speech),
            byteCount: 0,
            sha256: ""
        )
        let encoder = TakeEncoder(folder: folder, storing: storing)
        progress.began()
        closed.append(
            Task.detached { [progress] in
                let (stored, problem) = try await encoder.store(take)
                progress.ended(problem)
                return stored
            }
        )
    }

    /// Saves what is open as far as it goes: the session is stopping for a reason of its own.
    mutating func abandon() {
        try? flush()
        try? file?.synchronize()
        file = nil
        open = nil
    }

    /// Waits for the encoder.
    ///
    /// - Returns: all closed takes in order; those that could not be encoded stay as WAV, and `progress` says why.
    /// - Throws: `Problem` where a take's file cannot be read any more.
    func storedTakes() async throws -> [StoredTake] {
        var takes: [StoredTake] = []
        for task in closed { takes.append(try await task.value) }
        return takes
    }

    private mutating func flush() throws(Problem) {
        guard !waiting.isEmpty, let file else { return }
        defer { waiting.removeAll(keepingCapacity: true) }
        try withSound { () throws(SoundFileError) in try file.append(waiting) }
    }
}

import AudioFiles
import ExamCore
import SystemSupport

/// Writes the candidate's answers to disk as they are spoken, one take each, and has closed ones encoded off the loop.
///
/// A take is a WAV file while it is open: what was heard up to a quarter of a second ago (in a replay that keeps WAV, up to four) is on
/// disk and playable at every moment. When it is closed, an encoder makes Ogg/Opus of it, unless it came as packets of Opus, which are
/// in their file by then; and only when that is whole and on disk does the WAV go.
package struct AnswerRecorder: ~Copyable {
    /// About 32 kbit/s (B2): speech at 16 kHz is transparent there to most listeners. 52 learners' answers have 32 to 36.
    package static let opusBitRate = 32_000
    enum Storing: Sendable {
        /// Closed takes become Ogg/Opus.
        case opus
        /// Closed takes stay as they are, and nobody waits for the disk: for replays, which can be held again.
        case wav

        /// Samples collected before they are written: fewer system calls, and a kill loses no more. 0.24 s; 4 s where nothing can be lost.
        fileprivate var writeSize: Int {
            switch self {
            case .opus: 12 * AudioFormat.blockSize
            case .wav: 200 * AudioFormat.blockSize
            }
        }
    }

    private let encoder: TakeEncoder
    private let folder: SessionFolder
    private var account: TakeBookkeeping
    private var file: GrowingWAV?
    private var waiting: [Float] = []
    /// The last second that was heard and not kept.
    private var recent = RecentSound(length: TakeBookkeeping.longestLeadIn)
    private var packets = ArrivedPackets()
    /// Whether the microphone may hear the examiner.
    private let hearsExaminer: Bool
    /// Whether the open take runs on while the examiner is heard.
    private var isMuted = false
    /// Since when the examiner speaks in the middle of an answer; nil before that.
    private var nudgedAt: ExamTime?
    /// Of the open take; nil where its beginning was recorded before this process began.
    private var clipping: ClippingCounter?
    /// Told of each take that is encoded and on disk, on a thread of the encoder's.
    private let stored: @Sendable (StoredTake) -> Void
    /// The takes that are closed, on their way to disk.
    private(set) var storing = StoringTakes()

    /// - Parameters:
    ///   - account: of a session that is resumed: its open take goes on in the file it has.
    ///   - takes: those that are closed already, whether or not they were encoded.
    ///   - hearsExaminer: as the room says.
    /// - Throws: `Problem` where the open take's file cannot be used.
    init(
        _ account: TakeBookkeeping,
        closed takes: [StoredTake] = [],
        folder: SessionFolder,
        storing: Storing,
        hearsExaminer: Bool,
        stored: @escaping @Sendable (StoredTake) -> Void = { _ in }
    ) throws(Problem) {
        self.account = account
        self.hearsExaminer = hearsExaminer
        self.stored = stored
        self.folder = folder
        encoder = TakeEncoder(folder: folder, storing: storing)
        waiting.reserveCapacity(storing.writeSize)
        for take in takes { store(take) }
        if let open = account.open {
            file = try withSound { () throws(SoundFileError) in try GrowingWAV(continuing: path(of: open)) }
        }
    }

    /// Takes in 20 ms of the microphone; kept only while a take is open and not held. Nothing is written.
    mutating func append(_ block: AudioBlock) {
        packets.append(block.packet, isTaken: isTaking)
        guard isTaking else { return recent.append(block) }
        waiting.append(contentsOf: block.samples)
        clipping?.hear(block.samples)
    }

    /// Whether what is heard is kept.
    private var isTaking: Bool { account.open?.isHeld == false && !isMuted }

    /// Keeps nothing more of what is heard in the open take: the examiner sounds in it.
    mutating func mute() { isMuted = true }

    /// Whether a take is open, held or not.
    var isOpen: Bool { account.open != nil }

    /// Whether so much was taken in that it is to be written.
    var isFlushDue: Bool { waiting.count >= encoder.storing.writeSize }

    /// Takes note of what was heard; what the microphone missed becomes silence, so that the take's time stays true.
    mutating func note(_ event: Exam.Event, at now: ExamTime) throws(Problem) {
        account.note(event, at: now)
        guard case .soundLost(let span) = event else { return }
        packets.miss(span, isTaken: isTaking)
        guard isTaking else { return recent.miss(span) }
        waiting.append(contentsOf: repeatElement(0, count: AudioFormat.sampleCount(in: span)))
        try flush()
    }

    /// Opens, holds, resumes or closes a take; other commands are none of its business. A closed take goes to the encoder,
    /// without being waited for.
    mutating func perform(_ command: Exam.Command, at now: ExamTime) throws(Problem) {
        let taken = account.note(command, at: now)
        switch command {
        case .play:
            if account.open?.isHeld == true { nudgedAt = now }
        case .openTake:
            let path = path(of: account.open!)
            file = try withSound { () throws(SoundFileError) in try GrowingWAV(path: path) }
            clipping = ClippingCounter(threshold: ClippingCounter.resampledThreshold)
            let leadIn = AudioFormat.sampleCount(in: account.open!.leadIn)
            waiting.append(contentsOf: recent.take(leadIn))
            if encoder.storing == .opus {
                packets.open(folder.unfinished(account.open!.encodedFile), leadIn: leadIn / AudioFormat.blockSize)
            }
        case .holdTake:
            try flush()
            nudgedAt = nil
        case .resumeTake:
            isMuted = false
            if let nudgedAt, !hearsExaminer { insert(now - nudgedAt) }
        case .closeTake:
            try flush()
            isMuted = false
            recent.forget()
            var take = taken!
            take.record.duration = Seconds(AudioFormat.duration(ofSamples: file?.sampleCount ?? 0))
            let leadIn = AudioFormat.sampleCount(in: take.record.leadIn?.duration ?? .zero)
            if let clipping, let count = file?.sampleCount, count > leadIn {
                take.record.clippedShare = Double(clipping.count) / Double(count - leadIn)
            }
            let isEncoded = packets.close(sampleCount: file?.sampleCount ?? 0)
            file = nil
            store(take, isEncoded: isEncoded)
        case .runOn, .stopPlaying, .warn, .offer, .choose: break
        }
    }

    /// Takes in the last of what was heard while the examiner spoke in the middle of the answer: the first word of a candidate who went on early.
    private mutating func insert(_ span: Duration) {
        let blocks = TakeBookkeeping.blocksBefore(span)
        waiting.append(contentsOf: recent.take(blocks * AudioFormat.blockSize))
        packets.insert(blocks)
    }

    /// Saves what is open as far as it goes: the session is stopping for a reason of its own.
    mutating func abandon() {
        try? flush()
        try? file?.synchronize()
        file = nil
        packets.drop()
    }

    /// - Parameter isEncoded: its encoded file is whole, though not in its place.
    private mutating func store(_ take: StoredTake, isEncoded: Bool = false) {
        let progress = storing.progress
        let number = progress.began()
        storing.tasks.append(
            Task.detached { [encoder, stored] in
                let (take, problem) = try await encoder.store(take, isEncoded: isEncoded)
                stored(take)
                progress.ended(number, problem)
                return take
            }
        )
    }

    /// Writes what was taken in.
    mutating func flush() throws(Problem) {
        packets.flush()
        guard !waiting.isEmpty, let file else { return }
        defer { waiting.removeAll(keepingCapacity: true) }
        try withSound { () throws(SoundFileError) in try file.append(waiting) }
    }

    private func path(of open: TakeBookkeeping.OpenTake) -> String { "\(folder.path)/\(open.name).wav" }
}

/// Takes that encoders are at work on.
struct StoringTakes: Sendable {
    fileprivate var tasks: [Task<StoredTake, any Error>] = []
    let progress = StoringProgress()

    /// Waits for the encoders.
    ///
    /// - Returns: all closed takes in order; those that could not be encoded stay as WAV, and `progress` says why.
    /// - Throws: `Problem` where a take's file cannot be read any more.
    func takes() async throws -> [StoredTake] {
        var takes: [StoredTake] = []
        for task in tasks { takes.append(try await task.value) }
        return takes
    }
}

import AudioFiles
import ExamCore
import SessionFolders
import SystemSupport

/// Writes the candidate's answers to disk as they are spoken, one take each. Closed takes are encoded on other threads.
///
/// An open take is a WAV file. Everything up to a quarter of a second ago (four seconds in a replay that keeps WAV) is
/// on disk and playable at any moment. When the take is closed, an encoder turns it into Ogg/Opus. A take that arrived
/// as Opus packets needs no encoder: the packets are in their own file by then. The WAV is removed only when the
/// encoded file is whole and on disk.
package struct AnswerRecorder: ~Copyable {
    /// In bit/s. At this rate, speech at 16 kHz is transparent to most listeners. Recordings of 52 learners' answers
    /// came to 32 to 36 kbit/s.
    package static let opusBitRate = 32_000
    enum Storing: Sendable {
        /// Closed takes become Ogg/Opus.
        case opus
        /// Closed takes stay as they are and are not synced to disk. For replays, which can be run again.
        case wav

        /// The number of samples to collect before a write, to save system calls. A kill loses at most these samples:
        /// 0.24 s, or 4 s in a replay, which can be run again.
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
    /// The last second that was heard but not kept.
    private var recent = RecentSound(length: TakeBookkeeping.longestLeadIn)
    private var packets = ArrivedPackets()
    /// Whether the microphone may hear the examiner.
    private let hearsExaminer: Bool
    /// Whether the open take runs on while the examiner is heard.
    private var isMuted = false
    /// The moment at which the examiner began to speak in the middle of an answer; nil before that.
    private var nudgedAt: ExamTime?
    /// The clipping of the open take; nil if an earlier process recorded its beginning.
    private var clipping: ClippingCounter?
    /// Called with each take that is encoded and on disk, on one of the encoder's threads.
    private let stored: @Sendable (StoredTake) -> Void
    /// The takes that are closed and on their way to disk.
    private(set) var storing = StoringTakes()

    /// - Parameters:
    ///   - account: The bookkeeping of a resumed session. Its open take continues in its file.
    ///   - takes: The takes that are already closed, encoded or not.
    ///   - hearsExaminer: As the room says.
    /// - Throws: `Problem` if the open take's file cannot be used.
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

    /// Takes in 20 ms of the microphone. They are kept only while a take is open and not held. Nothing is written.
    mutating func append(_ block: AudioBlock) {
        packets.append(block.packet, isTaken: isTaking)
        guard isTaking else { return recent.append(block) }
        waiting.append(contentsOf: block.samples)
        clipping?.hear(block.samples)
    }

    /// Whether the recorder keeps what it hears.
    private var isTaking: Bool { account.open?.isHeld == false && !isMuted }

    /// Stops keeping what is heard in the open take, because the examiner is heard in it.
    mutating func mute() { isMuted = true }

    /// Whether a take is open, held or not.
    var isOpen: Bool { account.open != nil }

    /// Whether enough samples are waiting for a write.
    var isFlushDue: Bool { waiting.count >= encoder.storing.writeSize }

    /// Takes note of an event. A gap in the microphone's sound becomes silence, so that the take's time stays true.
    mutating func note(_ event: Exam.Event, at now: ExamTime) throws(Problem) {
        account.note(event, at: now)
        guard case .soundLost(let span) = event else { return }
        packets.miss(span, isTaken: isTaking)
        guard isTaking else { return recent.miss(span) }
        waiting.append(contentsOf: repeatElement(0, count: AudioFormat.sampleCount(in: span)))
        try flush()
    }

    /// Opens, holds, resumes or closes a take, and ignores other commands. A closed take goes to the encoder; the
    /// recorder doesn't wait for it.
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

    /// Adds the end of what was heard while the examiner spoke in the middle of the answer: the first word of a
    /// candidate who continued early.
    private mutating func insert(_ span: Duration) {
        let blocks = TakeBookkeeping.blocksBefore(span)
        waiting.append(contentsOf: recent.take(blocks * AudioFormat.blockSize))
        packets.insert(blocks)
    }

    /// Saves as much of the open take as possible, because an error ends the session.
    mutating func abandon() {
        try? flush()
        try? file?.synchronize()
        file = nil
        packets.drop()
    }

    /// - Parameter isEncoded: Whether its encoded file is whole, though not yet in its place.
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

    /// Writes the waiting samples and packets.
    mutating func flush() throws(Problem) {
        packets.flush()
        guard !waiting.isEmpty, let file else { return }
        defer { waiting.removeAll(keepingCapacity: true) }
        try withSound { () throws(SoundFileError) in try file.append(waiting) }
    }

    private func path(of open: TakeBookkeeping.OpenTake) -> String { "\(folder.path)/\(open.name).wav" }
}

/// The takes that encoders are working on.
struct StoringTakes: Sendable {
    fileprivate var tasks: [Task<StoredTake, any Error>] = []
    let progress = StoringProgress()

    /// Waits for the encoders.
    ///
    /// - Returns: All closed takes in order. Those that could not be encoded stay WAV, and `progress` has the reason.
    /// - Throws: `Problem` if a take's file can no longer be read.
    func takes() async throws -> [StoredTake] {
        var takes: [StoredTake] = []
        for task in tasks { takes.append(try await task.value) }
        return takes
    }
}

import AudioFiles
import ExamCore

/// What is known of takes beside their sound: when each was open, how much was said, how it ended.
///
/// Kept from the exam's events and commands alone; so the log of a session that was killed gives the very account that the
/// session itself would have given.
struct TakeBookkeeping: Sendable {
    /// The take that is open, held or not.
    private(set) var open: OpenTake?
    private let script: ExamScript
    /// What was chosen of turns' alternatives, by turn.
    private var choices: [Int: Int] = [:]
    /// Since when the microphone was heard without a break and nothing of it was kept; nil while a device is lost.
    private var unkeptSince: ExamTime? = .zero
    /// The silence at the end of the prompt that ended last, if nothing has happened since: the candidate answers its last sound.
    private var promptSilence: Duration = .zero

    /// The most that a take keeps of the time before it was opened: the first word of an answer that begins before the examiner has finished.
    static let longestLeadIn = Duration.seconds(1)

    struct OpenTake: Equatable, Sendable {
        var take: Exam.Take
        /// The take's file in the session's folder, without its ending: `takes/part1_q3`.
        var name: String
        /// The file that it becomes.
        var encodedFile: String { name + ".opus" }
        var openedAt: ExamTime
        /// The part of its sound that lies before it was opened: whole blocks, `longestLeadIn` at most.
        var leadIn: Duration
        var isHeld = false
        /// When the burst in progress began.
        var voiceSince: ExamTime?
        var speech: Duration = .zero
        /// What the microphone missed.
        var lost: Duration = .zero
        /// When the examiner's last sound before the first speech ended.
        var promptEnded: ExamTime
        /// From there to that speech.
        var latency: Duration?

        init(take: Exam.Take, name: String, openedAt: ExamTime, leadIn: Duration, promptEnded: ExamTime) {
            (self.take, self.name, self.openedAt) = (take, name, openedAt)
            (self.leadIn, self.promptEnded) = (leadIn, promptEnded)
        }

        mutating func voiceEnded(at now: ExamTime) {
            guard let since = voiceSince else { return }
            speech += max(now - since, .zero)
            latency = latency ?? max(since - promptEnded, .zero)
            voiceSince = nil
        }
    }

    init(script: ExamScript) {
        self.script = script
    }

    /// - Parameter now: the room's time.
    mutating func note(_ event: Exam.Event, at now: ExamTime) {
        promptSilence = .zero
        switch event {
        case .promptEnded(let clip) where clip != Clip.beep.id: promptSilence = PromptEnding.silence
        case .deviceLost: unkeptSince = nil
        case .deviceBack: unkeptSince = now
        default: break
        }
        guard open?.isHeld == false else { return }
        switch event {
        case .voiceBegan(let onset): open?.voiceSince = onset
        case .voiceEnded(_, let sound) where !sound.counts: open?.voiceSince = nil
        case .voiceEnded(let offset, _): open?.voiceEnded(at: offset)
        case .soundLost(let span): open?.lost += span
        default: break  // The others say nothing about what is in a take.
        }
    }

    /// - Returns: the take that the command closed; its duration, size and digest are its file's to tell.
    mutating func note(_ command: Exam.Command, at now: ExamTime) -> StoredTake? {
        switch command {
        case .openTake(let take):
            precondition(open == nil, "a take is open already")
            open = OpenTake(
                take: take, name: "takes/" + script.name(of: take), openedAt: now, leadIn: leadIn(at: now),
                promptEnded: now - promptSilence)
        case .holdTake:
            open?.voiceEnded(at: now)
            open?.isHeld = true
        case .resumeTake:
            open?.isHeld = false
            open?.promptEnded = now - promptSilence
        case .closeTake(_, let end):
            return close(end, at: now)
        case .choose(let turn, let alternative):
            choices[turn] = alternative + 1
        case .runOn, .play, .stopPlaying, .warn, .offer:
            break
        }
        return nil
    }

    private func leadIn(at now: ExamTime) -> Duration {
        guard let unkeptSince else { return .zero }
        return AudioFormat.duration(ofSamples: Self.blocksBefore(now - unkeptSince) * AudioFormat.blockSize)
    }

    /// The number of whole blocks that a take keeps of the time before it goes on.
    ///
    /// - Parameter span: the time in which the microphone was heard and nothing was kept.
    static func blocksBefore(_ span: Duration) -> Int {
        AudioFormat.sampleCount(in: min(span, longestLeadIn)) / AudioFormat.blockSize
    }

    private mutating func close(_ end: AnswerEnd, at now: ExamTime) -> StoredTake {
        guard var open else { preconditionFailure("no take is open") }
        self.open = nil
        unkeptSince = now
        open.voiceEnded(at: now)
        let turn = script.turns[open.take.turn]
        var record = AnswerRecord(
            question: turn.id, part: script.parts[turn.part].number, order: turn.order, attempt: open.take.attempt,
            end: end.text, speech: Seconds(open.speech))
        record.openedAt = Seconds(open.openedAt.sinceBegin)
        record.closedAt = Seconds(now.sinceBegin)
        if open.leadIn > .zero { record.leadIn = Seconds(open.leadIn) }
        if open.lost > .zero { record.lost = Seconds(open.lost) }
        record.responseLatency = open.latency.map(Seconds.init)
        record.choice = choices[open.take.turn]
        if turn.isPractice { record.practice = true }
        return StoredTake(record: record, file: open.name + ".wav", byteCount: 0, sha256: "")
    }
}

import AudioFiles
package import ExamCore

/// The facts about takes besides their sound: when each was open, how much was said, how it ended.
///
/// It depends on the exam's events and commands alone. So the log of a killed session gives the same facts as the
/// session itself would have given.
package struct TakeBookkeeping: Sendable {
    /// The take that is open, held or not.
    package private(set) var open: OpenTake?
    private let script: ExamScript
    /// The chosen alternative of each turn.
    private var choices: [Int: Int] = [:]
    /// The start of the current stretch in which the microphone was heard and nothing was kept; nil while a device is
    /// lost.
    private var unkeptSince: ExamTime? = .zero
    /// The silence at the end of the last prompt, until the next event. The candidate answers the prompt's last sound.
    private var promptSilence: Duration = .zero

    /// The most sound that a take keeps from before it was opened, for an answer that begins before the examiner has
    /// finished.
    package static let longestLeadIn = Duration.seconds(1)

    package struct OpenTake: Equatable, Sendable {
        var take: Exam.Take
        /// The take's file in the session's folder, without its extension: `takes/part1_q3`.
        package var name: String
        /// The file that the take becomes.
        package var encodedFile: String { name + ".opus" }
        package var openedAt: ExamTime
        /// The sound from before the take was opened, in whole blocks, at most `longestLeadIn`.
        package var leadIn: Duration
        package var isHeld = false
        /// The beginning of the burst of speech in progress.
        var voiceSince: ExamTime?
        var speech: Duration = .zero
        /// The gaps in the microphone's sound.
        var lost: Duration = .zero
        /// The end of the examiner's last sound before the first speech.
        var promptEnded: ExamTime
        /// The time from `promptEnded` to the first speech.
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

    package init(script: ExamScript) {
        self.script = script
    }

    /// - Parameter now: The room's time.
    package mutating func note(_ event: Exam.Event, at now: ExamTime) {
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
        default: break  // The other events don't affect a take.
        }
    }

    /// - Returns: The take that the command closed. Its duration, size and digest come from its file.
    package mutating func note(_ command: Exam.Command, at now: ExamTime) -> StoredTake? {
        switch command {
        case .openTake(let take):
            precondition(open == nil, "a take is already open")
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

    /// Returns the number of whole blocks that a take keeps of the time before it continues.
    ///
    /// - Parameter span: The time in which the microphone was heard and nothing was kept.
    package static func blocksBefore(_ span: Duration) -> Int {
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
        record.purpose = turn.purpose
        return StoredTake(record: record, file: open.name + ".wav", byteCount: 0, sha256: "")
    }
}

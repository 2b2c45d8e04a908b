import Testing

@testable import ExamCore

/// The conditions that must hold for the sounds of every answer, in any order of events.
///
/// It keeps its own record of times and shares no code with the exam.
struct SoundPromises {
    /// The answer before the sound in progress.
    private var before: Answer?
    /// The end of the last clear speech. Doubtful sounds delay the end until two silences after it.
    private var surely: ExamTime?
    private var openedAt: ExamTime?
    /// The sound missed before the answer was opened, because a loss sets the candidate's clock back.
    private var lostBefore = Duration.zero

    mutating func check(_ event: Exam.Event, before old: Exam, after new: Exam, at now: ExamTime, seed: UInt64) {
        guard case .answering(let turn, let answer) = new.phase else {
            before = nil
            surely = nil
            return
        }
        if answer.openedAt != openedAt {
            openedAt = answer.openedAt
            lostBefore = old.soundLost
        }
        let listened = now - answer.openedAt + (new.soundLost - lostBefore)
        #expect(answer.speech <= listened, "seed \(seed): no moment is spoken twice")
        guard let earlier = old.answer else { return }  // It was opened or continued at this moment.
        note(event, earlier, answer, seed)
        guard case .timePassed = event, case .pausing(let since) = answer.voice else { return }
        let rule = new.script.turns[turn].answer!
        // The exam learns its patience, but it cannot exceed this.
        guard let silence = rule.silence.map({ max($0, rule.patience?.ceiling ?? $0) }),
            let clock = answer.clockBegan, now - clock >= rule.minimum
        else { return }
        #expect(now - since < silence, "seed \(seed): no silence is longer than the rule's")
        #expect(now - (surely ?? since) < silence * 2, "seed \(seed): doubtful sounds hold no answer open")
    }

    private mutating func note(_ event: Exam.Event, _ earlier: Answer, _ answer: Answer, _ seed: UInt64) {
        switch event {
        case .voiceBegan:
            if case .speaking = earlier.voice { return }
            before = earlier
        case .voiceEnded(_, let sound):
            guard case .speaking = earlier.voice else { return }
            if sound == .distant {
                #expect(answer.voice == before?.voice, "seed \(seed): a distant sound leaves the silence")
                #expect(answer.speech == before?.speech, "seed \(seed): a distant sound is not speech")
                #expect(answer.clockBegan == before?.clockBegan, "seed \(seed): it is not a first word")
            } else if case .pausing(let since) = answer.voice, sound == .speech || surely == nil {
                surely = since
            }
        default: break
        }
    }
}

import Testing

@testable import ExamCore

/// What must hold of the sounds of every answer, whatever happens in whatever order.
///
/// It keeps its own account of the dates and shares no line with the machine.
struct SoundPromises {
    /// As the answer was before the sound in progress.
    private var before: Answer?
    /// Doubtful sounds are waited for until two silences after this.
    private var surely: ExamTime?
    private var openedAt: ExamTime?
    /// What the microphone had missed when the answer was opened: a loss sets the candidate's clock back.
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
        guard let earlier = old.answer else { return }  // It was opened, or goes on, this very moment.
        note(event, earlier, answer, seed)
        guard case .timePassed = event, case .pausing(let since) = answer.voice else { return }
        let rule = new.script.turns[turn].answer!
        // Patience is the exam's secret, but it goes no farther than this.
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
                #expect(answer.speech == before?.speech, "seed \(seed): nobody spoke")
                #expect(answer.clockBegan == before?.clockBegan, "seed \(seed): it is no first word")
            } else if case .pausing(let since) = answer.voice, sound == .speech || surely == nil {
                surely = since
            }
        default: break
        }
    }
}

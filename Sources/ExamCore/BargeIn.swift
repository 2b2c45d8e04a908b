// Barge-in: if the candidate continues an answer that seemed to be over, the examiner yields.

extension Exam {
    /// The state to return to if the candidate continues an answer that silence has ended.
    ///
    /// ```
    ///   answering ── silence ends the answer ──▶ gap ──▶ speaking the next words ── their first second and a half ──▶ closeTake
    ///       ▲                                     │          │
    ///       └──────── voiceBegan ─────────────────┴──────────┘  (stopPlaying)
    /// ```
    /// The take keeps recording meanwhile, so that nothing the candidate says is lost.
    struct Yielding: Equatable, Sendable {
        var turn: Int
        var answer: Answer
        var attempt: Int
        var restarts: Int
        var askedAt: ExamTime
        var partBegan: ExamTime
        var partTurn: Int
        /// Whether a remote candidate has noticed that the turn is over.
        var isNoticed = false
    }

    /// The time from the beginning of the examiner's words within which the examiner yields to a candidate who starts
    /// to speak. Two people who start together notice it within a second, and the detector needs up to a third of a
    /// second to be sure of a voice.
    static let yieldTime = Duration.milliseconds(1_500)

    /// Remembers the answer in progress, which silence has ended, if the candidate may still continue it. This requires
    /// a rule in which pauses only lengthen the silence: such a rule treats cutting a candidate off as worse than
    /// waiting. A sound that turned out not to be speech gives no second chance.
    mutating func yield(_ turn: Int) {
        guard case .answering(turn, let answer) = phase, script.turns[turn].answer!.onlyLengthens, answer.mayGoOn else {
            return
        }
        yielding = Yielding(
            turn: turn, answer: answer, attempt: attempt, restarts: restarts, askedAt: askedAt, partBegan: partBegan,
            partTurn: partTurn)
    }

    /// Continues the answer that seemed to be over, or the answer in whose pause the examiner has just begun to speak.
    /// At any other time the event is a late report about a closed take and changes nothing.
    mutating func bargeIn(at onset: ExamTime, _ now: ExamTime) -> [Command] {
        if case .speaking(let speech) = phase, case .nudge(let answer, let nudge) = speech.purpose {
            return cutIn(on: speech, answer, nudge, at: onset, now)
        }
        guard let yielding, mayBargeIn(at: now) else { return [] }
        var commands: [Command] = []
        if case .speaking = phase { commands = [.stopPlaying] }
        (attempt, restarts) = (yielding.attempt, yielding.restarts)
        (askedAt, partBegan, partTurn) = (yielding.askedAt, yielding.partBegan, yielding.partTurn)
        (self.yielding, owed) = (nil, nil)
        var answer = yielding.answer
        answer.goesOn(at: onset)
        listen(to: answer, yielding.turn, at: now, clockWas: yielding.answer.clockBegan)
        return commands
    }

    /// Stops the examiner's words in a pause and continues the answer. A repeated question is always played to its end,
    /// because the candidate said nothing or asked for it.
    private mutating func cutIn(
        on speech: Speech, _ answer: Answer, _ nudge: Answer.Nudge, at onset: ExamTime, _ now: ExamTime
    ) -> [Command] {
        guard nudge == .pausing, now - speech.began < Self.yieldTime, answer.mayGoOn,
            script.turns[speech.turn].answer!.onlyLengthens
        else { return [] }
        let clock = answer.clockBegan
        var answer = answer
        answer.takesBackNudge(at: speech.began)
        answer.goesOn(at: onset)
        listen(to: answer, speech.turn, at: now, clockWas: clock)
        return [.stopPlaying, .resumeTake(take(speech.turn))]
    }

    /// Whether the candidate hears the next words while the take of the previous answer is still recording.
    package var isHeardAskingOn: Bool {
        guard let yielding, case .speaking = phase else { return false }
        return screen == .near || yielding.isNoticed
    }

    mutating func noticed() -> [Command] {
        yielding?.isNoticed = true
        return []  // If the candidate has not barged in, `payingOwed` issues the owed command.
    }

    /// Returns whether the examiner's next words have not begun, or began less than `yieldTime` ago.
    func mayBargeIn(at now: ExamTime) -> Bool {
        switch phase {
        case .gap(let prompt, _): prompt.clip == 0
        case .speaking(let speech): speech.purpose == .prompt(0) && now - speech.began < Self.yieldTime
        case .waiting, .preparing, .answering, .suspended, .processing, .over: false
        }
    }
}

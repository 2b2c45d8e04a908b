// A candidate who goes on with an answer that was taken to be over: the examiner yields.

extension Exam {
    /// The state to return to if the candidate goes on with an answer that silence has ended.
    ///
    /// ```
    ///   answering ── silence ends the answer ──▶ gap ──▶ speaking the next words ── their first second and a half ──▶ closeTake
    ///       ▲                                     │          │
    ///       └──────── voiceBegan ─────────────────┴──────────┘  (stopPlaying)
    /// ```
    /// The take runs on meanwhile, so that nothing of what is said is lost.
    struct Yielding: Equatable, Sendable {
        var turn: Int
        var answer: Answer
        var attempt: Int
        var restarts: Int
        var askedAt: ExamTime
        var partBegan: ExamTime
        var partTurn: Int
        /// Whether a candidate far away has noticed that the turn is over.
        var isNoticed = false
    }

    /// The time from the beginning of the examiner's words in which a candidate who starts to speak is yielded to. Two people who start together notice it within
    /// a second; the detector needs up to a third of a second to be sure of a voice.
    static let yieldTime = Duration.milliseconds(1_500)

    /// Remembers the answer in progress, which silence has ended: if pauses only lengthen the silence of its rule, being cut off counts more than
    /// waiting, and the candidate may still go on. Not twice for sounds that turned out not to be speech.
    mutating func yield(_ turn: Int) {
        guard case .answering(turn, let answer) = phase, script.turns[turn].answer!.onlyLengthens, answer.mayGoOn else {
            return
        }
        yielding = Yielding(
            turn: turn, answer: answer, attempt: attempt, restarts: restarts, askedAt: askedAt, partBegan: partBegan,
            partTurn: partTurn)
    }

    /// Goes on with the answer that was taken to be over, or in whose pause the examiner has just begun to speak. A voice at any other time is late
    /// news of a closed take.
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

    /// Takes back what the examiner says in a pause. A question that is asked again is heard to its end: the candidate said nothing, or wished it.
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

    /// Whether the candidate hears the next words, while the take of the answer before them runs on.
    package var isHeardAskingOn: Bool {
        guard let yielding, case .speaking = phase else { return false }
        return screen == .near || yielding.isNoticed
    }

    mutating func noticed() -> [Command] {
        yielding?.isNoticed = true
        return []  // What is owed is due if nobody is yielded to: `payingOwed` sees to it.
    }

    /// Whether the examiner's next words have not begun, or only just.
    func mayBargeIn(at now: ExamTime) -> Bool {
        switch phase {
        case .gap(let prompt, _): prompt.clip == 0
        case .speaking(let speech): speech.purpose == .prompt(0) && now - speech.began < Self.yieldTime
        case .waiting, .preparing, .answering, .suspended, .processing, .over: false
        }
    }
}

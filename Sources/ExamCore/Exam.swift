/// One candidate's exam: events in, commands out. No clock, no audio, no files, no tasks.
///
/// Everything that decides what happens in an exam is in this file and six others. `Answer` and `EndOfAnswer` decide
/// when an answer is over. `BargeIn` handles a candidate who continues after that, `Suspension` handles pauses, lost
/// devices and answers that are begun again, `Choosing` handles alternatives, and `SlowLine` a remote candidate. An
/// event that is not legal in a phase changes nothing and returns no commands. The passing of time changes the state
/// only if it returns commands or ends the exam.
///
/// ```
///            begin              promptEnded            promptEnded
///  waiting ────────▶ speaking ──────────────▶ preparing ──▶ speaking ─┐ promptEnded
///                     ▲    ▲ │                              (start)   ▼
///                 gap │    │ └──────────────────────────────────▶ answering ◀─┐ promptEnded
///                     │    └────────────────────────────────────────┘ │  └────┘ (nudge)
///                     └───────────── the answer is over ──────────────┘
///  any of them ──▶ suspended (a pause in practice, a lost device) ──▶ that phase, or the question again
///  after the last turn, at the hard cap, on withdrawal: processing ── takesStored ──▶ over
/// ```
public struct Exam: Equatable, Sendable {
    public enum Phase: Equatable, Sendable {
        /// The exam has not begun (the stage `preparation`).
        case waiting
        /// A short silence before the examiner's next words.
        case gap(Prompt, until: ExamTime)
        /// The examiner speaks.
        case speaking(Speech)
        /// The candidate prepares, with a card if the turn has one.
        case preparing(Preparing)
        /// The candidate's turn. A take is open.
        case answering(turn: Int, Answer)
        indirect case suspended(Suspension)
        /// No more questions are asked. Takes are being encoded and stored.
        case processing(Outcome)
        case over(Outcome)
    }

    /// One clip of a turn's prompt.
    public struct Prompt: Equatable, Sendable {
        public var turn: Int
        public var clip: Int
    }

    public struct Speech: Equatable, Sendable {
        public var turn: Int
        public var clip: Clip
        public var purpose: Purpose
        /// The beginning of the clip, on the candidate's clock.
        public var began: ExamTime

        public enum Purpose: Equatable, Sendable {
            /// The clip with this index of the turn's prompt.
            case prompt(Int)
            /// The tone before an answer.
            case beep
            /// "Please begin", after preparation.
            case start
            /// A prompt in the middle of an answer, whose take is held.
            case nudge(Answer, Answer.Nudge)
            /// After an answer that a clock ended.
            case interruption
        }
    }

    public struct Preparing: Equatable, Sendable {
        public var turn: Int
        public var began: ExamTime
        public var until: ExamTime
        /// The number of the script's warnings that are past.
        var warningsPast: Int
        /// When to offer `skip`. Nil if it is never offered, or was already offered.
        var offerAt: ExamTime?
    }

    public let script: ExamScript
    public internal(set) var phase: Phase = .waiting
    /// When the current part's first prompt began, on the candidate's clock.
    public internal(set) var partBegan: ExamTime = .zero
    /// The total of pauses and lost time so far. The candidate's clock is the room's clock minus this total.
    public internal(set) var suspended: Duration = .zero
    /// 1, plus one for each time in this turn that a device failed or the candidate began the answer again.
    public internal(set) var attempt = 1
    /// The turns that were begun. Others were left out for lack of time, or belong to the alternative not chosen.
    var begun: Set<Int> = [0]
    /// The number of times the candidate began this turn's answer again.
    var restarts = 0
    /// The chosen alternative, 0 or 1, by the id of its turn.
    var chosen: [String: Int] = [:]
    /// The turn whose prompt started the part at `partBegan`.
    var partTurn = 0
    /// When the examiner began the words that led to the latest answer, on the candidate's clock.
    var askedAt: ExamTime = .zero
    /// The length of sound that the microphone missed so far.
    public internal(set) var soundLost: Duration = .zero
    private var endpointing = AdaptiveEndpointing()
    var screen = Screen.near
    /// The command that ends a recording as soon as the candidate has noticed that the turn is over. Anything said
    /// until then belongs to that recording.
    public internal(set) var owed: Command?
    /// The answer that the candidate may still continue. The command that ends its take is `owed`.
    var yielding: Yielding?
    /// Whether the exam must wait for a slow line before the next prompt.
    var isBehind = false

    public init(_ script: ExamScript) {
        self.script = script
    }

    /// Handles `event` at `moment` on the room's clock and returns the commands to carry out. Moments never decrease.
    public mutating func handle(_ event: Event, at moment: ExamTime) -> [Command] {
        let commands = decide(event, at: moment)
        waitForLine(at: moment)
        return payingOwed(commands, after: event, at: moment)
    }

    private mutating func decide(_ event: Event, at moment: ExamTime) -> [Command] {
        if case .soundLost(let span) = event { lose(span, until: moment) }
        let now = moment - suspended
        if now >= ExamTime(sinceBegin: script.hardCap), let commands = reachHardCap() { return commands }
        switch event {
        case .begin: return begin(at: moment)
        case .promptEnded(let clip), .promptFailed(let clip): return promptEnded(clip, at: now)
        case .voiceBegan(let onset): return voiceBegan(at: onset - suspended, now)
        case .voiceEnded(let offset, let sound): return voiceEnded(at: offset - suspended, as: sound, now)
        case .timePassed: return timePassed(at: now, quietUntil: now)
        case .timePassedUnsure(let since): return timePassed(at: now, quietUntil: min(since - suspended, now))
        case .asked(let wish): return allowed(at: now).contains(wish) ? grant(wish, at: moment) : []
        case .deviceLost(let trouble):
            // The next room reports its own screen and line.
            if trouble == .roomClosed || trouble == .processEnded { (screen, isBehind) = (.near, false) }
            return suspend(.device(trouble), at: moment)
        case .deviceBack: return deviceBack(at: moment)
        case .soundLost: return []  // Already subtracted from the clock at the top of this function.
        case .screen(let screen): return seen(on: screen)
        case .noticed: return noticed()
        case .fellBehind: return fellBehind()
        case .caughtUp: return caughtUp(at: moment)
        case .takesStored: return takesStored()
        }
    }

    // MARK: - Events

    private mutating func begin(at moment: ExamTime) -> [Command] {
        guard case .waiting = phase else { return [] }
        suspended = moment.sinceBegin  // Waiting to begin is not part of the exam.
        partBegan = .zero
        return speak(script.turns[0].prompt[0], .prompt(0), turn: 0, at: .zero)
    }

    private mutating func promptEnded(_ id: Clip.ID, at now: ExamTime) -> [Command] {
        guard case .speaking(let speech) = phase, speech.clip.id == id else { return [] }  // About an earlier clip.
        let turn = script.turns[speech.turn]
        switch speech.purpose {
        case .prompt(let index) where index + 1 < turn.prompt.count:
            phase = .gap(Prompt(turn: speech.turn, clip: index + 1), until: now + script.clipGap)
            return []
        case .prompt where turn.preparation != nil:
            let length = turn.preparation!.length
            let past = script.warnings.count { $0 >= length }
            let offer = script.options.mode == .practice ? turn.preparation!.skippableAfter : nil
            phase = .preparing(
                Preparing(
                    turn: speech.turn, began: now, until: now + length, warningsPast: past,
                    offerAt: offer.flatMap { $0 > .zero ? now + $0 : nil }))
            return []
        case .prompt, .start:
            return signal(speech.turn, at: now)
        case .beep:
            return openAnswer(speech.turn, at: now)
        case .nudge(var answer, let nudge):
            let clock = answer.clockBegan
            answer.resumed(at: now, after: nudge, speech.clip, rule: turn.answer!)
            listen(to: answer, speech.turn, at: now, clockWas: clock)
            return [.resumeTake(take(speech.turn))]
        case .interruption:
            return moveOn(from: speech.turn, at: now)
        }
    }

    private mutating func voiceBegan(at onset: ExamTime, _ now: ExamTime) -> [Command] {
        guard case .answering(let turn, var answer) = phase else { return bargeIn(at: onset, now) }
        let clock = answer.clockBegan
        answer.voiceBegan(at: onset)
        listen(to: answer, turn, at: now, clockWas: clock)
        return []
    }

    private mutating func voiceEnded(at offset: ExamTime, as sound: EndOfAnswer.Sound, _ now: ExamTime) -> [Command] {
        guard case .answering(let turn, var answer) = phase else { return [] }  // A late report about a closed take.
        let clock = answer.clockBegan
        if let pause = answer.voiceEnded(at: offset, as: sound) { endpointing.learn(pause) }
        listen(to: answer, turn, at: now, clockWas: clock)
        return []
    }

    private mutating func timePassed(at now: ExamTime, quietUntil: ExamTime) -> [Command] {
        switch phase {
        case .gap(let prompt, let until):
            // Does not speak over a candidate who may be continuing the answer.
            guard (yielding == nil ? now : quietUntil) >= until else { return [] }
            return ask(prompt, at: now)
        case .preparing(var preparing):
            if now >= preparing.until { return startAnswer(preparing.turn, at: now) }
            var commands: [Command] = []
            if let offerAt = preparing.offerAt, now >= offerAt {
                preparing.offerAt = nil
                commands.append(.offer(.skip))
            }
            let left = preparing.until - now
            if let due = script.warnings.lastIndex(where: { left <= $0 }), due >= preparing.warningsPast {
                preparing.warningsPast = due + 1
                commands.append(.warn(script.warnings[due]))
            }
            if !commands.isEmpty { phase = .preparing(preparing) }
            return commands
        case .answering(let turn, let answer):
            return judge(answer, turn, at: now, quietUntil: quietUntil)
        case .waiting, .speaking, .suspended, .processing, .over:
            return []  // No deadline applies here, and the hard cap was already checked.
        }
    }

    /// Grants an allowed wish.
    private mutating func grant(_ wish: Wish, at moment: ExamTime) -> [Command] {
        let now = moment - suspended
        switch (wish, phase) {
        case (.repeat, .answering(let turn, var answer)):
            let asked = answer.repeatAsked(script.turns[turn].answer!)
            return nudge(asked.clip, asked.nudge, answer, turn, at: now)
        case (.finish, .answering(let turn, _)): return close(turn, .declared, at: now)
        case (.again, .answering(let turn, _)): return beginAgain(turn)
        case (.first, .preparing(let preparing)): return choose(0, in: preparing.turn)
        case (.first, .answering(let turn, _)): return choose(0, in: turn)
        case (.second, .preparing(let preparing)): return choose(1, in: preparing.turn)
        case (.second, .answering(let turn, _)): return choose(1, in: turn)
        case (.skip, .preparing(let preparing)): return startAnswer(preparing.turn, at: now)
        case (.pause, _): return suspend(.candidate, at: moment)
        case (.continue, .suspended(let suspension)): return resume(suspension, at: moment)
        case (.withdraw, _): return end(.withdrawn, takeEnd: .withdrawn)
        case (.repeat, _), (.finish, _), (.skip, _), (.continue, _), (.again, _), (.first, _), (.second, _):
            preconditionFailure("\(wish) is not allowed here")
        }
    }

    private mutating func takesStored() -> [Command] {
        guard case .processing(let outcome) = phase else { return [] }
        phase = .over(outcome)
        return []
    }

    // MARK: - Asking

    private mutating func ask(_ prompt: Prompt, at now: ExamTime) -> [Command] {
        let turn = script.turns[prompt.turn]
        // If a lost device makes the exam ask a part's first question again, the part starts again. If the candidate
        // begins the answer again, it does not.
        let beginsAgain = prompt.turn == partTurn && partTurn > 0 && prompt.clip == 0 && restarts == 0
        if turn.part != script.turns[partTurn].part || beginsAgain { (partTurn, partBegan) = (prompt.turn, now) }
        return speak(turn.prompt[prompt.clip], .prompt(prompt.clip), turn: prompt.turn, at: now)
    }

    private mutating func speak(_ clip: Clip, _ purpose: Speech.Purpose, turn: Int, at now: ExamTime) -> [Command] {
        switch purpose {
        case .prompt, .start: askedAt = now
        case .beep, .nudge, .interruption: break
        }
        phase = .speaking(Speech(turn: turn, clip: clip, purpose: purpose, began: now))
        return [.play(clip)]
    }

    /// Starts the answer after the preparation, with the examiner's starting words first if there are any.
    private mutating func startAnswer(_ turn: Int, at now: ExamTime) -> [Command] {
        let decided = decide(turn)
        if let start = script.turns[turn].preparation?.start {
            return decided + speak(start, .start, turn: turn, at: now)
        }
        askedAt = now
        return decided + signal(turn, at: now)
    }

    /// Plays the tone, if the turn has one, and then opens the answer.
    private mutating func signal(_ turn: Int, at now: ExamTime) -> [Command] {
        guard let beep = script.turns[turn].answer?.beep else { return openAnswer(turn, at: now) }
        return speak(beep, .beep, turn: turn, at: now)
    }

    /// Opens the answer after the last words of a prompt. If the turn has no answer, moves to the next turn.
    private mutating func openAnswer(_ turn: Int, at now: ExamTime) -> [Command] {
        guard let rule = script.turns[turn].answer else { return moveOn(from: turn, at: now) }
        var answer = Answer(at: now, rule: rule)
        answer.limitKnown(limit(of: answer, turn), at: now, warnings: script.warnings)
        phase = .answering(turn: turn, answer)
        return [.openTake(take(turn))]
    }

    // MARK: - Listening

    /// Continues with an answer. Sets its limit again if its clock started or was taken back.
    mutating func listen(to answer: Answer, _ turn: Int, at now: ExamTime, clockWas clock: ExamTime?) {
        var answer = answer
        if answer.clockBegan != clock { answer.limitKnown(limit(of: answer, turn), at: now, warnings: script.warnings) }
        phase = .answering(turn: turn, answer)
    }

    private mutating func judge(_ answer: Answer, _ turn: Int, at now: ExamTime, quietUntil: ExamTime) -> [Command] {
        var answer = answer
        let limit = limit(of: answer, turn)
        let rule = script.turns[turn].answer!
        let silence = endpointing.silence(for: rule, speech: answer.speech)
        let verdict = answer.verdict(
            at: now, quietUntil: quietUntil, rule: rule, silence: silence, limit: limit, warnings: script.warnings)
        switch verdict {
        case .goOn:
            guard answer.offersFinish(at: now) else { return [] }
            phase = .answering(turn: turn, answer)
            return [.offer(.finish)]
        case .warn(let left):
            let offers: [Command] = answer.offersFinish(at: now) ? [.offer(.finish)] : []
            phase = .answering(turn: turn, answer)
            return offers + [.warn(left)]
        case .nudge(let clip, let why):
            return nudge(clip, why, answer, turn, at: now)
        case .end(let end):
            return close(turn, end, at: now)
        }
    }

    private mutating func nudge(_ clip: Clip, _ why: Answer.Nudge, _ answer: Answer, _ turn: Int, at now: ExamTime)
        -> [Command]
    {
        var answer = answer
        _ = answer.voiceEnded(at: now)  // A word in progress ends when the examiner speaks.
        return stop(.holdTake(take(turn)), of: turn) + speak(clip, .nudge(answer, why), turn: turn, at: now)
    }

    private mutating func close(_ turn: Int, _ end: AnswerEnd, at now: ExamTime) -> [Command] {
        let close = Command.closeTake(take(turn), end)
        let decided = decide(turn)
        switch end {
        case .timeUp:
            guard let interruption = script.turns[turn].answer!.interruption else { break }
            return decided + [close] + speak(interruption.clip, .interruption, turn: turn, at: now)
        case .finished(let why):
            if why != nil { yield(turn) }
            return decided + stop(close, of: turn) + moveOn(from: turn, at: now)
        case .noAnswer: return decided + stop(close, of: turn) + moveOn(from: turn, at: now)
        case .declared, .withdrawn, .deviceLost, .startedAgain: break  // The candidate knows already.
        }
        return decided + [close] + moveOn(from: turn, at: now)
    }

    // MARK: - Going on

    private mutating func moveOn(from turn: Int, at now: ExamTime) -> [Command] {
        guard let next = next(after: turn, at: now) else { return end(.completed) }
        (attempt, restarts) = (1, 0)
        begun.insert(next)
        let gap = script.turns[next].part == script.turns[turn].part ? script.turnGap : script.partGap
        phase = .gap(Prompt(turn: next, clip: 0), until: now + gap)
        return []
    }

    /// Returns the next turn that is not dropped for being late. The closing words are never dropped.
    private func next(after turn: Int, at now: ExamTime) -> Int? {
        let part = script.turns[turn].part
        return script.turns.indices.dropFirst(turn + 1).first { index in
            guard isWanted(index) else { return false }
            if script.closingTurns.contains(index) { return true }
            if now >= ExamTime(sinceBegin: script.lastAnswerEnd) { return false }
            guard script.turns[index].part == part, let latest = script.turns[index].notAfter else { return true }
            return now - partBegan < latest
        }
    }

    private mutating func reachHardCap() -> [Command]? {
        switch phase {
        case .gap, .speaking, .preparing, .answering: end(.outOfTime, takeEnd: .timeUp(.exam))
        case .waiting, .suspended, .processing, .over: nil  // Time does not count in these phases.
        }
    }

    /// Ends the exam in any phase: closes an open take and stops the examiner.
    ///
    /// - Parameter takeEnd: how an open take ends. Nil after the last turn, when no take is open and the examiner has
    ///   finished speaking.
    private mutating func end(_ outcome: Outcome, takeEnd: AnswerEnd? = nil) -> [Command] {
        let commands = ending(phase, takeEnd)
        guard let commands else { return [] }
        phase = .processing(outcome)
        return commands
    }

    /// Returns the commands to carry out before leaving a phase for good. Nil if the exam has not begun or is already
    /// ending.
    private func ending(_ phase: Phase, _ takeEnd: AnswerEnd?) -> [Command]? {
        if case .waiting = phase { return nil }
        if case .processing = phase { return nil }
        if case .over = phase { return nil }
        guard let takeEnd else { return [] }
        return switch phase {
        case .waiting, .processing, .over, .gap, .preparing: []
        case .speaking(let speech): [.stopPlaying] + held(speech, takeEnd)
        case .answering(let turn, _): [.closeTake(take(turn), takeEnd)]
        case .suspended(let suspension):
            switch suspension.was {
            case .answering(let turn, _): [.closeTake(take(turn), takeEnd)]
            case .speaking(let speech): held(speech, takeEnd)
            case .waiting, .gap, .preparing, .suspended, .processing, .over: []
            }
        }
    }

    /// Closes the take that a nudge holds open.
    private func held(_ speech: Speech, _ end: AnswerEnd) -> [Command] {
        guard case .nudge = speech.purpose else { return [] }
        return [.closeTake(take(speech.turn), end)]
    }
}

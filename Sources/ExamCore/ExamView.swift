/// The state of an exam as a person or program outside sees it. Everything is derived from the exam when asked for.
public struct ExamView: Equatable, Sendable {
    /// The top-level phases.
    public enum Stage: String, CaseIterable, Sendable { case preparation, testing, processing, completed }

    /// The activity during `testing`.
    public enum Activity: String, CaseIterable, Sendable {
        case idle
        /// A short silence before the examiner's next words.
        case transition
        case examinerSpeaking
        case preparing
        case waitingForSpeech
        case speaking
        /// The candidate has spoken and is silent, so the answer may be about to end.
        case closing
        case suspended
    }

    public var stage: Stage
    public var activity: Activity
    /// The part's number. Nil outside `testing`, as is its title.
    public var part: Int?
    public var partTitle: String?
    /// An index into the script's turns.
    public var turn: Int?
    /// 1, 2, 3 … among the answered turns of the part; 0 for words that need no answer.
    public var questionOrder: Int?
    /// The number of the question among those of the part that were asked, for people; 0 for words that need no answer.
    public var questionNumber: Int?
    /// The words of the turn's question, or of the examiner's present words.
    public var text: String?
    /// Shown after the prompt.
    public var card: Paper.Card?
    /// Shown for the whole turn.
    public var picture: Paper.Picture?
    /// The alternatives to choose between: two or none. They remain after the choice.
    public var alternatives: [Paper.Alternative] = []
    /// The index of the chosen alternative: 0 or 1.
    public var chosen: Int?
    /// The questions that the candidate is preparing together now.
    public var together: [ExamScript.Assignment] = []
    /// Whether the turn is for practice and does not count.
    public var isPractice = false
    /// Whether the turn's answer is an introduction, which stays with the candidate.
    public var isIntroduction = false
    /// Whether notes may be written at this moment.
    public var notesAllowed = false
    /// The index of the turn in whose preparation the notes for this turn are written. Nil if notes are not allowed.
    public var notesOf: Int?
    /// The take that is recording now.
    public var recording: Exam.Take?
    /// Whether a turn is over but its take keeps recording until the candidate has noticed (`Exam.Event.noticed`).
    public var runsOn = false
    /// The time since the answer was opened.
    public var recordingTime: Duration?
    public var preparationLeft: Duration?
    /// The time until the answer's nearest limit: its maximum, the part's end or the exam's end.
    public var answerLeft: Duration?
    /// The problem that keeps the exam from continuing. Nil if nothing is wrong, or if the candidate paused the exam.
    public var trouble: Exam.Trouble?
    /// Whether at most 5 seconds are left before a limit.
    public var timeWarning = false
    /// The wishes that the exam grants now. Any other wish has no effect.
    public var allowed: Set<Wish> = []
    /// The wishes that time alone will allow, and how long until it does.
    public var allowedLater: [Wish: Duration] = [:]

    public var examinerSpeaks: Bool { activity == .examinerSpeaking }
    public var candidateSpeaks: Bool { activity == .speaking }
}

extension Exam {
    /// Returns the exam as it appears at `moment` on the room's clock.
    public func view(at moment: ExamTime) -> ExamView {
        var view = ExamView(stage: .testing, activity: .idle)
        let now = moment - suspended
        show(phase, at: now, in: &view)
        view.allowed = allowed(at: now)
        view.allowedLater = allowedLater(at: now)
        view.runsOn = owed != nil
        if case .suspended(let suspension) = phase {
            show(suspension.was, at: suspension.since - suspended, in: &view)
            view.activity = .suspended
            view.recording = nil
            view.notesAllowed = false
            switch suspension.cause {
            case .candidate: break
            case .device(let trouble): view.trouble = trouble
            case .line: view.trouble = .lineSlow
            }
        }
        if let left = view.preparationLeft ?? view.answerLeft { view.timeWarning = left <= Exam.warningTime }
        return view
    }

    /// The time before a limit at which the warning appears, as in the reference app.
    static let warningTime = Duration.seconds(5)

    private func show(_ phase: Phase, at now: ExamTime, in view: inout ExamView) {
        switch phase {
        case .waiting:
            view.stage = .preparation
        case .processing:
            view.stage = .processing
        case .over:
            view.stage = .completed
        case .gap(let prompt, _):
            view.activity = .transition
            show(turn: prompt.turn, in: &view)
            // Shows the clip of this prompt that was said last. Words that are still to come are not shown before they
            // are heard, unless the question is asked again.
            guard attempt == 1 else { break }
            let turn = script.turns[prompt.turn]
            let said = prompt.clip > 0 ? turn.prompt[prompt.clip - 1] : nil
            let isHidden = turn.hides(turn.prompt[prompt.clip])
            view.text = isHidden ? nil : said.flatMap { turn.hides($0) ? nil : $0.text }
        case .speaking(let speech):
            view.activity = .examinerSpeaking
            show(turn: speech.turn, in: &view)
            switch speech.purpose {
            case .prompt: view.text = nil
            case .beep: view.card = script.turns[speech.turn].card
            case .start, .nudge, .interruption: view.card = script.turns[speech.turn].card
            }
            if speech.purpose != .beep, !script.turns[speech.turn].hides(speech.clip) { view.text = speech.clip.text }
        case .preparing(let preparing):
            view.activity = .preparing
            show(turn: preparing.turn, in: &view)
            view.card = script.turns[preparing.turn].card
            view.together = script.turns[preparing.turn].together
            // A preparation of zero length means that the answer begins again after a lost device.
            guard preparing.until > preparing.began else { break }
            view.notesAllowed = script.turns[preparing.turn].preparation?.notes ?? false
            view.preparationLeft = max(preparing.until - now, .zero)
        case .answering(let turn, let answer):
            switch answer.voice {
            case .silent: view.activity = .waitingForSpeech
            case .speaking: view.activity = .speaking
            case .pausing: view.activity = .closing
            }
            show(turn: turn, in: &view)
            if let asked = answer.asked, !script.turns[turn].hides(asked) { view.text = asked.text }
            view.card = script.turns[turn].card
            view.recording = take(turn)
            view.recordingTime = now - answer.openedAt
            view.answerLeft = max(limit(of: answer, turn).at - now, .zero)
        case .suspended:
            break  // Shown as the phase that it interrupted.
        }
    }

    func take(_ turn: Int) -> Take { Take(turn: turn, attempt: attempt) }

    private func show(turn index: Int, in view: inout ExamView) {
        let turn = script.turns[index]
        view.part = script.parts[turn.part].number
        view.partTitle = script.parts[turn.part].title
        view.turn = index
        view.questionOrder = turn.order
        view.questionNumber =
            turn.order == 0
            ? 0
            : 1
                + begun.count { earlier in
                    let other = script.turns[earlier]
                    return other.part == turn.part && 1..<turn.order ~= other.order
                }
        view.text = turn.toRead ?? turn.prompt.last.flatMap { turn.hides($0) ? nil : $0.text }
        view.picture = turn.picture
        view.alternatives = turn.alternatives
        view.chosen = chosen[turn.id]
        view.isPractice = turn.isPractice
        view.isIntroduction = turn.purpose == .introduction && turn.answer != nil
        let preparedIn = turn.preparedIn.flatMap { id in script.turns.firstIndex { $0.id == id } } ?? index
        if script.turns[preparedIn].preparation?.notes == true { view.notesOf = preparedIn }
    }
}

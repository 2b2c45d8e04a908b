/// Where an exam stands, as a person or a program outside sees it (A11). Derived; nothing here is stored twice.
public struct ExamView: Equatable, Sendable {
    /// The top-level phases (A2).
    public enum Stage: String, CaseIterable, Sendable { case preparation, testing, processing, completed }

    /// What goes on inside `testing` (A3).
    public enum Activity: String, CaseIterable, Sendable {
        case idle
        /// A breath before the examiner's next words.
        case transition
        case examinerSpeaking
        case preparing
        case waitingForSpeech
        case speaking
        /// The candidate has spoken and is silent: the answer may be closing.
        case closing
        case suspended
    }

    public var stage: Stage
    public var activity: Activity
    /// The part's number and title; nil outside `testing`.
    public var part: Int?
    public var partTitle: String?
    /// An index into the script's turns.
    public var turn: Int?
    /// 1, 2, 3 … among the answered turns of the part; 0 for words that need no answer.
    public var questionOrder: Int?
    /// The words of the turn's question, or of what the examiner says just now.
    public var text: String?
    /// Shown from the end of the prompt on.
    public var card: Paper.Card?
    /// Shown as long as the turn lasts.
    public var picture: Paper.Picture?
    /// What may be chosen between, or was: two, or none.
    public var alternatives: [Paper.Alternative] = []
    /// Which of them is chosen: 0 or 1.
    public var chosen: Int?
    /// The questions that are prepared together just now.
    public var together: [ExamScript.Assignment] = []
    /// Whether the turn counts for nothing.
    public var isPractice = false
    /// Whether notes may be written at this moment.
    public var notesAllowed = false
    /// The turn in whose preparation notes for this one may be written, or were: an index; nil where none may.
    public var notesOf: Int?
    /// The take that is being recorded.
    public var recording: Exam.Take?
    /// A turn is over, and its take goes on until the candidate has noticed (`Exam.Event.noticed`).
    public var runsOn = false
    /// How long the answer has been open.
    public var recordingTime: Duration?
    public var preparationLeft: Duration?
    /// Time until the answer's nearest limit: its maximum, the part's end or the exam's.
    public var answerLeft: Duration?
    /// What keeps the exam from going on; nil where nothing does, or where the candidate paused it.
    public var trouble: Exam.Trouble?
    /// The last 5 seconds before a limit (A9).
    public var timeWarning = false
    /// What the candidate may ask for now; nothing else changes anything.
    public var allowed: Set<Wish> = []
    /// What time alone will allow, and after how much more of it.
    public var allowedLater: [Wish: Duration] = [:]

    public var examinerSpeaks: Bool { activity == .examinerSpeaking }
    public var candidateSpeaks: Bool { activity == .speaking }
}

extension Exam {
    /// The exam as it is seen at `moment` on the room's clock.
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

    /// The reference app's time warning (A9).
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
            // What was said last of this prompt; what is still to be said is not read before it is heard, unless it is asked again.
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
            // A preparation without length is a talk that begins again, after a lost device.
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
            view.recording = Take(turn: turn, attempt: attempt)
            view.recordingTime = now - answer.openedAt
            view.answerLeft = max(limit(of: answer, turn).at - now, .zero)
        case .suspended:
            break  // Shown as what it interrupted.
        }
    }

    private func show(turn index: Int, in view: inout ExamView) {
        let turn = script.turns[index]
        view.part = script.parts[turn.part].number
        view.partTitle = script.parts[turn.part].title
        view.turn = index
        view.questionOrder = turn.order
        view.text = turn.toRead ?? turn.prompt.last.flatMap { turn.hides($0) ? nil : $0.text }
        view.picture = turn.picture
        view.alternatives = turn.alternatives
        view.chosen = chosen[turn.id]
        view.isPractice = turn.isPractice
        let preparedIn = turn.preparedIn.flatMap { id in script.turns.firstIndex { $0.id == id } } ?? index
        if script.turns[preparedIn].preparation?.notes == true { view.notesOf = preparedIn }
    }
}

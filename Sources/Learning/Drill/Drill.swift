public import Papers

/// A drill asks questions one after another and gives the verdict and explanation of each at once. It is a value: the
/// same log and the same answers lead to the same drill on any machine.
///
/// ```
///            ┌────────────────next───────────────┐
///            ▼                                   │
/// (showing ──next──►) asking ──answer──► answered ──next──► finished
///            ▲           │
///            └──resume── left ◄──leave── (anywhere)
/// ```
///
/// A question that was answered wrong comes again, after three others, until the answer is right. If only one or two
/// others are left, it comes once more after these, and then the schedule decides when it comes again. A question is
/// never asked twice in a row: a client that repeats its last answer could not be told from one that answers again.
public struct Drill: Equatable, Sendable {
    public enum Phase: Equatable, Sendable {
        /// A leech (an item that the learner keeps forgetting) that has only one question is shown before it is asked.
        case showing
        case asking
        case answered(Verdict)
        case left
        case finished
    }

    public enum Event: Equatable, Sendable {
        /// - Parameter seconds: the time from the question to the answer.
        case answer(PracticeAnswer, seconds: Double)
        case next
        case leave
        case resume
    }

    public enum Command: Equatable, Sendable {
        /// Shows the question together with its answer, before it is asked.
        case show(PracticeQuestion)
        case ask(PracticeQuestion)
        case explain(Verdict, PracticeQuestion)
        /// Writes a line to the practice log, before anything is shown.
        case keep(PracticeEvent)
        /// Sends `next` automatically after this many seconds.
        case goOn(after: Double)
        case finish(Summary)
    }

    public struct Summary: Equatable, Sendable {
        /// The number of questions answered right at the first attempt.
        public var right: Int
        public var count: Int
        /// The number of answers that were not a first attempt.
        public var repeated: Int
    }

    public let number: Int
    public private(set) var phase = Phase.asking
    /// The exercises from now on, starting with the present one.
    private var queue: [Asked]
    private let total: Int
    private var right = 0
    private var repeated = 0
    private let goesOnAfter: Double?
    private let shown: Set<String>
    private var wasShown: Set<String> = []

    /// An exercise, with its options in this drill's order.
    struct Asked: Equatable, Sendable {
        var exercise: PracticeEvent.Exercise
        var question: PracticeQuestion
        var isAgain = false
    }

    /// The seconds after which the drill continues automatically after a right answer, if the learner wants this.
    public static let autoAdvance = 0.5
    /// The number of other questions between two askings of the same one, if as many are left.
    static let apart = 3

    /// Creates a drill.
    ///
    /// - Parameters:
    ///   - exercises: the exercises in order. Those whose questions no longer exist are skipped.
    ///   - history: shows which questions are leeches. Leeches are shown before they are asked.
    ///   - goesOnAfter: the seconds until the drill continues by itself, or nil if the learner decides.
    public init(
        _ number: Int, _ exercises: [PracticeEvent.Exercise], of catalogue: PracticeCatalogue,
        _ history: PracticeHistory, goesOnAfter: Double? = nil
    ) {
        self.number = number
        self.goesOnAfter = goesOnAfter
        queue = exercises.compactMap { exercise in
            catalogue.question(exercise).map { question in
                Asked(exercise: exercise, question: question.inOrder(of: UInt64(number)))
            }
        }
        shown = Set(
            exercises.map(\.memory).filter {
                history.memories[$0]?.isLeech == true && catalogue.item($0)?.questions.count == 1
            })
        total = queue.count
        phase = queue.isEmpty ? .finished : .asking
        present()
    }

    /// Resumes a drill that was begun earlier, at the question after the last answer in the log.
    public init(
        resuming open: PracticeHistory.OpenDrill, of catalogue: PracticeCatalogue,
        _ history: PracticeHistory, goesOnAfter: Double? = nil
    ) {
        self.init(open.number, open.exercises, of: catalogue, history, goesOnAfter: goesOnAfter)
        for answered in open.answered where phase != .finished {
            // A question that was shown before it was asked had changed the order.
            guard let place = queue.firstIndex(where: { $0.exercise.memory == answered.exercise.memory }) else {
                continue
            }
            queue.insert(queue.remove(at: place), at: 0)
            if shown.contains(answered.exercise.memory) { wasShown.insert(answered.exercise.memory) }
            mark(answered.verdict)
            goOn()
        }
        if phase != .finished { phase = .left }
    }

    /// The question to answer. Nil when the drill is finished.
    public var question: PracticeQuestion? { queue.first?.question }
    public var exercise: PracticeEvent.Exercise? { queue.first?.exercise }
    /// The number of exercises that are done, out of `count`.
    public var done: Int { total - Set(queue.map(\.exercise.memory)).count + (isAnsweredForGood ? 1 : 0) }
    public var count: Int { total }
    public var summary: Summary { Summary(right: right, count: total, repeated: repeated) }

    /// The commands that begin the drill. Carry them out once, before the first event.
    public var opening: [Command] { [.keep(.began(drill: number, queue.map(\.exercise)))] + presenting }

    /// Handles an event and returns the commands to carry out.
    ///
    /// - Throws: `IllegalEvent` with one sentence without a full stop. The drill has not changed then.
    public mutating func handle(_ event: Event) throws(IllegalEvent) -> [Command] {
        switch (phase, event) {
        case (.asking, .answer(let answer, let seconds)):
            guard let asked = queue.first else { throw IllegalEvent(sentence: "nothing is asked") }
            let verdict = asked.question.verdict(on: answer)
            guard verdict != .notAnAnswer else {
                throw IllegalEvent(sentence: "this question needs another kind of answer")
            }
            let kept = PracticeEvent.Answered(
                drill: number, exercise: asked.exercise, verdict: verdict, seconds: max(0, seconds))
            mark(verdict)
            phase = .answered(verdict)
            // The learner reads the explanation of a wrong answer before continuing.
            let goesOn = goesOnAfter.map { verdict.isRight ? [Command.goOn(after: $0)] : [] } ?? []
            return [.keep(.answered(kept)), .explain(verdict, asked.question)] + goesOn
        case (.answered, .next):
            goOn()
            return presenting
        case (.showing, .next):
            if let asked = queue.first { wasShown.insert(asked.exercise.memory) }
            // Other questions come between showing a question and asking it.
            if queue.count > 1 { queue.insert(queue.removeFirst(), at: min(Self.apart, queue.count)) }
            present()
            return presenting
        case (.asking, .leave), (.showing, .leave):
            phase = .left
            return []
        case (.answered, .leave):
            goOn()
            let end = presenting
            if phase != .finished { phase = .left }
            return phase == .finished ? end : []
        case (.left, .resume):
            phase = .asking
            present()
            return presenting
        default: throw IllegalEvent(sentence: "\(event.name) cannot happen while \(phase.words)")
        }
    }

    private var presenting: [Command] {
        switch phase {
        case .showing: queue.first.map { [.show($0.question)] } ?? []
        case .asking: queue.first.map { [.ask($0.question)] } ?? []
        case .finished: [.keep(.finished(drill: number)), .finish(summary)]
        case .answered, .left: []
        }
    }

    private mutating func present() {
        guard phase != .finished, let asked = queue.first else { return }
        let memory = asked.exercise.memory
        phase = shown.contains(memory) && !wasShown.contains(memory) ? .showing : .asking
    }

    private mutating func mark(_ verdict: Verdict) {
        guard let asked = queue.first else { return }
        if asked.isAgain { repeated += 1 } else if verdict.isRight { right += 1 }
        guard !verdict.isRight, queue.count > Self.apart || queue.count > 1 && !asked.isAgain else { return }
        queue.insert(
            Asked(exercise: asked.exercise, question: asked.question, isAgain: true),
            at: min(Self.apart + 1, queue.count))
    }

    private mutating func goOn() {
        queue.removeFirst()
        phase = queue.isEmpty ? .finished : .asking
        present()
    }

    private var isAnsweredForGood: Bool {
        guard case .answered = phase, let present = queue.first else { return false }
        return !queue.dropFirst().contains { $0.exercise.memory == present.exercise.memory }
    }
}

extension Drill.Event {
    fileprivate var name: String {
        switch self {
        case .answer: "an answer"
        case .next: "going on"
        case .leave: "leaving"
        case .resume: "coming back"
        }
    }
}

extension Drill.Phase {
    fileprivate var words: String {
        switch self {
        case .showing: "a question is shown"
        case .asking: "a question is asked"
        case .answered: "the answer is explained"
        case .left: "the drill is left"
        case .finished: "the drill is finished"
        }
    }
}

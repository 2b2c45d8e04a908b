public import Learning

/// An open or finished drill at one moment, as its learner sees it.
public struct DrillState: Equatable, Sendable {
    /// The kind of sheet that the learner sees.
    public enum Phase: String, Sendable {
        /// The question is shown with its answer before it is asked, because the learner often forgets it.
        case showing
        /// The question waits for an answer.
        case asking
        /// No question is left.
        case finished
    }

    /// The drill's number among all drills of the learner, from 1.
    public let number: Int
    /// The kind of sheet that the learner sees.
    public let phase: Phase
    /// The number of questions that are done, out of `count`.
    public let done: Int
    /// The number of questions, without repetitions.
    public let count: Int
    /// The number of questions answered right at the first attempt.
    public let right: Int
    /// The number of answers that were not a first attempt.
    public let repeated: Int
    /// The question that is shown or asked. Nil if the drill is finished.
    public let question: PracticeQuestion?
    /// The question's place in the learner's memory. Nil if the drill is finished.
    public let exercise: PracticeEvent.Exercise?

    init(_ drill: Drill) {
        number = drill.number
        switch drill.phase {
        case .showing: phase = .showing
        case .asking, .answered, .left: phase = .asking
        case .finished: phase = .finished
        }
        (done, count) = (drill.done, drill.count)
        (right, repeated) = (drill.summary.right, drill.summary.repeated)
        (question, exercise) = phase == .finished ? (nil, nil) : (drill.question, drill.exercise)
    }

    fileprivate init(_ drill: PracticeHistory.FinishedDrill) {
        (number, phase) = (drill.number, .finished)
        (done, count, right, repeated) = (drill.count, drill.count, drill.right, drill.repeated)
        (question, exercise) = (nil, nil)
    }
}

/// The verdict on an answer of a drill.
public struct DrillVerdict: Equatable, Sendable {
    /// Whether the answer is right.
    public let verdict: Verdict
    /// The question that was answered.
    public let question: PracticeQuestion
    /// The drill at its next question.
    public let drill: DrillState
}

/// Drills. A learner can leave a drill at any time without a step: it continues after its last stored answer, on any
/// machine.
extension PracticeStep {
    /// The open drill at its present question. Nil if no drill can be continued.
    public var openDrill: DrillState? { drill.map(DrillState.init) }

    /// Begins a drill. An open drill ends.
    ///
    /// - Returns: Nil if there is nothing to practise.
    public mutating func begin(_ wish: PracticeWish) -> DrillState? {
        // The open drill cannot continue: its questions are all answered, or no longer in the packs.
        if let open = history.openDrill, drill == nil { keep(.finished(drill: open.number)) }
        let load = DayLoad(wish, of: content.catalogue, history, at: moment)
        let drill = Drill(history.lastDrill + 1, load.exercises, of: content.catalogue, history)
        guard drill.phase != .finished else { return nil }
        carryOut(drill.opening)
        self.drill = drill
        return DrillState(drill)
    }

    /// Answers a question and moves on to the next one.
    ///
    /// A client that did not get the verdict may repeat its last answer, and gets the verdict again.
    ///
    /// - Parameters:
    ///   - number: The drill's number.
    ///   - question: The question's id.
    ///   - seconds: The time from the question to the answer.
    ///   - answer: Returns the answer for the question. Nil if it is not of the question's kind.
    /// - Throws: `PracticeRefusal.notAsked` if the drill asks another question, or `notAnAnswer`.
    public mutating func answer(
        _ number: Int, _ question: String, seconds: Double, _ answer: (PracticeQuestion) -> PracticeAnswer?
    ) throws(PracticeRefusal) -> DrillVerdict {
        guard var drill = asking(question, number), let asked = drill.question else {
            return try verdictAgain(number, question, answer)
        }
        guard let given = answer(asked) else { throw .notAnAnswer }
        let verdict = asked.verdict(on: given)
        guard let answered = try? drill.handle(.answer(given, seconds: seconds)), let next = try? drill.handle(.next)
        else { throw .notAnAnswer }
        carryOut(answered + next)
        self.drill = drill.phase == .finished ? nil : drill
        return DrillVerdict(verdict: verdict, question: asked, drill: DrillState(drill))
    }

    /// Moves on from a shown question to the next one. A question that is asked stays.
    ///
    /// - Throws: `PracticeRefusal.notAsked` if this drill is not open.
    public mutating func next(_ number: Int) throws(PracticeRefusal) -> DrillState {
        guard var drill, drill.number == number else { throw .notAsked }
        if drill.phase == .showing { _ = try? drill.handle(.next) }
        self.drill = drill
        return DrillState(drill)
    }

    private mutating func carryOut(_ commands: [Drill.Command]) {
        for case .keep(let event) in commands { keep(event) }
    }

    /// Returns the drill if it asks this question. Questions before it that wait to be shown count as shown, because
    /// another program may have shown them.
    private func asking(_ question: String, _ number: Int) -> Drill? {
        guard var drill, drill.number == number else { return nil }
        for _ in 0..<drill.count where drill.phase == .showing { _ = try? drill.handle(.next) }
        return drill.phase == .asking && drill.question?.id == question ? drill : nil
    }

    /// Returns the verdict on the last answer again.
    ///
    /// - Throws: `PracticeRefusal.notAsked` for any other answer.
    private func verdictAgain(
        _ number: Int, _ id: String, _ answer: (PracticeQuestion) -> PracticeAnswer?
    ) throws(PracticeRefusal) -> DrillVerdict {
        guard let last = lastAnswer(of: number, id), last.exercise.question == id,
            let question = content.catalogue.question(last.exercise)?.inOrder(of: UInt64(number)),
            let given = answer(question), question.verdict(on: given) == last.verdict
        else { throw .notAsked }
        return DrillVerdict(verdict: last.verdict, question: question, drill: last.drill)
    }

    /// Finds the last answer of a drill that is open or was finished last.
    private func lastAnswer(
        of number: Int, _ question: String
    ) -> (exercise: PracticeEvent.Exercise, verdict: Verdict, drill: DrillState)? {
        if let open = history.openDrill, open.number == number {
            var drill = Drill(resuming: open, of: content.catalogue, history)
            guard let last = open.answered.last, (try? drill.handle(.resume)) != nil else { return nil }
            return (last.exercise, last.verdict, DrillState(drill))
        }
        guard let finished = history.finishedDrills.last, finished.number == number else { return nil }
        let items = finished.packs.compactMap(content.catalogue.pack).flatMap(\.items)
        for item in items {
            guard let known = history.memories[item.id], known.lastQuestion == question,
                known.lastAnswered == finished.moment
            else { continue }
            return (
                .init(memory: item.id, question: question, role: .due), known.lastVerdict, DrillState(finished)
            )
        }
        return nil
    }
}

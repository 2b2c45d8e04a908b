public import Learning
import SystemSupport

/// A learner's practice: takes steps from the state that the practice log gives, and appends their events to the log.
///
/// This type remembers the part of the log that it has read. Other windows and other nodes may append to the log at any
/// time. If one of them appends first, this type reads the new lines and takes the step again.
///
/// ```swift
/// let practising = Practising(on: FolderShelf())
/// let tasks = try await practising.take(at: .now) { $0.tasks }
/// print(tasks.count, "tasks")
/// ```
public actor Practising {
    let shelf: any LearnerShelf
    /// The most lines of a log.
    private let most: Int
    /// The material, with the mended sentences that were known at the last step.
    private var content: PracticeContent?
    private var mended: QuestionPack?
    private let exams: SpokenExams
    private var place = PracticePlace()
    private var history = PracticeHistory()
    private var drill: Drill?
    /// The number of answers with which `drill` was built. If the log has another number, the drill is out of date.
    private var drillAnswers = 0

    /// After this many conflicts the caller must try again later.
    private static let mostTries = 50

    /// - Parameter most: The most lines that a log may have.
    public init(on shelf: some LearnerShelf, most: Int = .max) {
        self.shelf = shelf
        self.most = most
        exams = SpokenExams(on: shelf)
    }

    /// Takes a step. Its events are in the log when this returns.
    ///
    /// - Parameters:
    ///   - moment: The present moment by the learner's clock.
    ///   - step: May run again if another program appends to the log first.
    /// - Throws: The errors of the step, `PracticeRefusal.full` or `busy`, `Problem` as `LearnerShelf`.
    public func take<Outcome: Sendable>(
        at moment: StudyMoment, _ step: @Sendable (inout PracticeStep) throws -> Outcome
    ) async throws -> Outcome {
        for _ in 0..<Self.mostTries {
            try await read()
            let content = try await refreshed()
            var taken = PracticeStep(content, history, moment)
            taken.drill = openDrill(of: taken)
            let outcome = try step(&taken)
            guard !taken.events.isEmpty else {
                // Changes to the drill without a line of the log, such as moving on from a shown question, are known
                // only here.
                hold(taken.drill)
                return outcome
            }
            let (before, lines) = (place, taken.events.map { PracticeLine(moment, $0) })
            guard lines.count <= most - before.number else { throw PracticeRefusal.full }
            guard try await shelf.append(lines, after: before) else { continue }
            // Otherwise another step has read these lines, or the log was erased since.
            if place == before {
                for line in lines { history.add(line) }
                place = PracticePlace(number: before.number + lines.count, line: lines.last?.text)
                hold(taken.drill)
            }
            return outcome
        }
        throw PracticeRefusal.busy
    }

    /// Reads the new lines of the log.
    private func read() async throws {
        while true {
            let known = place
            let stretch = try await shelf.practice(after: known)
            // Another step has read them meanwhile.
            guard place == known else { continue }
            guard let stretch else {
                // The log was erased, and perhaps begun again.
                (place, history, drill) = (PracticePlace(), PracticeHistory(), nil)
                continue
            }
            for line in stretch.lines { history.add(line) }
            place = stretch.end
            if stretch.isWhole { return }
        }
    }

    /// Returns the material. It is read again because other nodes add mended sentences, and because erasing an exam
    /// removes the sentences from it.
    private func refreshed() async throws -> PracticeContent {
        // Sentences come with an answer that was given again. Only those that an earlier version kept have no line in
        // the log, so the first step looks for them.
        if let content, history.retold.isEmpty { return content }
        let found = try await shelf.mendedSentences()
        if let content, found == mended { return content }
        let content = try shelf.practiceContent(with: found)
        (self.content, mended) = (content, found)
        drill = nil
        return content
    }

    /// Returns the open drill at its present question.
    private func openDrill(of step: PracticeStep) -> Drill? {
        guard let open = step.history.openDrill else { return nil }
        if let drill, drill.number == open.number, drillAnswers == open.answered.count { return drill }
        var drill = Drill(resuming: open, of: step.content.catalogue, step.history)
        return (try? drill.handle(.resume)) == nil ? nil : drill
    }

    // MARK: - Exams

    /// Returns a history to which the learner's exams are added.
    func counted(in history: PracticeHistory, at moment: StudyMoment) async throws(Problem) -> PracticeHistory {
        try await exams.counted(in: history, at: moment)
    }

    /// Records that an answer of an exam was given again.
    ///
    /// - Returns: The number of its sentences that were not kept before.
    /// - Throws: As `take`.
    public func keep(_ retelling: Retelling, at moment: StudyMoment) async throws -> Int {
        let new = try await shelf.keep(mended: retelling.mended, of: retelling.answer.session)
        try await take(at: moment) { $0.retell(retelling.answer) }
        return new
    }

    /// Records that the learner looked at the results of an exam or a spoken drill, once for each.
    ///
    /// - Parameters:
    ///   - spoke: The spoken drill, whose speech counts on the day of its result.
    ///   - retelling: The answer that the drill gave again, if it did.
    /// - Throws: As `take`.
    public func review(
        _ session: String, _ spoke: PracticeEvent.Spoke?, _ retelling: Retelling?, at moment: StudyMoment
    ) async throws {
        if let retelling { _ = try await shelf.keep(mended: retelling.mended, of: retelling.answer.session) }
        try await take(at: moment) { step in
            let isNew = !step.history.reviewedSessions.contains(session)
            step.review(session, spoke)
            if isNew, let retelling { step.retell(retelling.answer) }
        }
    }

    private func hold(_ drill: Drill?) {
        self.drill = drill
        drillAnswers = history.openDrill?.answered.count ?? 0
    }
}

/// The reasons why a step of practice was not taken. Nothing was stored then.
public enum PracticeRefusal: Error, Equatable, Sendable {
    /// The practice log has no room for more lines.
    case full
    /// Other programs appended to the log at each attempt. The same step may succeed later.
    case busy
    /// The drill is over, or asks another question.
    case notAsked
    /// The question takes another kind of answer.
    case notAnAnswer
}

import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Learning
import Synchronization

/// One step of a learner's practice: the state before it, and the events that it adds.
struct PracticeTurn {
    let history: PracticeHistory
    let moment: StudyMoment
    /// The events to store.
    fileprivate(set) var events: [PracticeEvent] = []
    /// The open drill at its current question. Nil without an open drill, or if all its items are answered or no longer
    /// in the packs.
    var drill: Drill?

    fileprivate init(_ history: PracticeHistory, _ moment: StudyMoment, _ drill: Drill?) {
        (self.history, self.moment, self.drill) = (history, moment, drill)
    }

    mutating func keep(_ event: PracticeEvent) {
        if events.isEmpty {
            if history.weights == nil { events.append(.weights(FSRS.weightsVersion)) }
            // Checks the whole history, so only if the data version is old.
            if history.dataVersion ?? 0 < LessonMigration.dataVersion {
                events += LessonMigration.events(for: history)
            }
        }
        events.append(event)
    }

    /// Stores the events among a drill's commands, and returns the other commands.
    mutating func carryOut(_ commands: [Drill.Command]) -> [Drill.Command] {
        commands.filter { command in
            guard case .keep(let event) = command else { return true }
            keep(event)
            return false
        }
    }
}

/// A node's knowledge of one learner's practice: the lines of the log read so far, and the history computed from them.
///
/// Any node may append at any time. If the number of its next line is taken, a node reads the new lines and repeats its
/// step with them.
final class LearnerPractice: Sendable {
    private struct Known {
        /// The number of the last line read. 0 if none was read.
        var number = 0
        var line: String?
        var history = PracticeHistory()
        var drill: Drill?
        /// The number of answers with which that drill was built. If the log has another number, the drill is out of
        /// date.
        var drillAnswers = 0

        /// Adds lines, ignoring known ones.
        ///
        /// - Throws: `unusable` if this program does not know a line.
        mutating func add(_ lines: [NumberedLine]) throws(StoreError) {
            for line in lines where line.number == number + 1 {
                guard let parsed = PracticeLine(line.text) else {
                    throw StoreError(
                        .unusable, "a practice log has a line that this program does not know: a newer one wrote it")
                }
                history.add(parsed)
                (number, self.line) = (line.number, line.text)
            }
        }

        /// The open drill at its current question.
        var openDrill: Drill? {
            guard let open = history.openDrill else { return nil }
            if let drill, drill.number == open.number, drillAnswers == open.answered.count { return drill }
            var drill = Drill(resuming: open, of: PracticeShelf.catalogue, history)
            return (try? drill.handle(.resume)) == nil ? nil : drill
        }

        mutating func hold(_ drill: Drill?) {
            self.drill = drill
            drillAnswers = history.openDrill?.answered.count ?? 0
        }
    }

    private struct Step<Outcome> {
        var outcome: Outcome
        var drill: Drill?
        var lines: [String]
        var number: Int
        var line: String?
    }

    private let known = Mutex(Known())

    /// The number of lines to read at a time.
    private static let page = 5_000
    /// After this many conflicts the caller must try again later.
    private static let mostTries = 50

    /// Takes a step, and stores its events before this returns.
    ///
    /// - Parameters:
    ///   - most: the maximum number of lines in a log.
    ///   - step: may run again if another node was faster.
    /// - Throws: the errors of the step, `APIProblem` 429 if the log is full, `StoreError`.
    func take<Outcome: Sendable>(
        in owned: OwnedStore, at moment: StudyMoment, most: Int,
        _ step: @Sendable (inout PracticeTurn) throws -> Outcome
    ) async throws -> Outcome {
        for _ in 0..<Self.mostTries {
            try await read(owned)
            let taken = try known.withLock { known in try Self.take(&known, moment, step) }
            if taken.lines.isEmpty { return taken.outcome }
            guard taken.number + taken.lines.count <= most else {
                throw APIProblem(
                    .tooManyRequests, "storage-full", "No room left", "Your practice log is full. Erase it to go on.")
            }
            if try await owned.append(practiceLines: taken.lines, after: taken.number, knowing: taken.line) {
                try known.withLock { known in
                    let isNext = known.number == taken.number
                    try known.add(
                        taken.lines.enumerated().map { NumberedLine(number: taken.number + 1 + $0, text: $1) })
                    if isNext { known.hold(taken.drill) }
                }
                return taken.outcome
            }
        }
        throw APIProblem.busy
    }

    private static func take<Outcome>(
        _ known: inout Known, _ moment: StudyMoment, _ step: (inout PracticeTurn) throws -> Outcome
    ) throws -> Step<Outcome> {
        var turn = PracticeTurn(known.history, moment, known.openDrill)
        let outcome = try step(&turn)
        let lines = turn.events.map { PracticeLine(moment, $0).text }
        // Changes to the drill without a line of the log, such as moving on from a shown item, are known only to this
        // node.
        if lines.isEmpty { known.hold(turn.drill) }
        return Step(
            outcome: outcome, drill: turn.drill, lines: lines, number: known.number, line: known.line)
    }

    /// Reads the new lines of the log.
    private func read(_ owned: OwnedStore) async throws(StoreError) {
        while true {
            let (number, line) = known.withLock { ($0.number, $0.line) }
            let read = try await owned.practiceLines(after: number, knowing: line, limit: Self.page)
            guard let read else {
                // The log was erased, and perhaps begun again.
                known.withLock { if $0.number == number { $0 = Known() } }
                continue
            }
            try known.withLock { (known) throws(StoreError) in try known.add(read) }
            if read.count < Self.page { return }
        }
    }
}

/// The learners whose practice a node knows: those who practised on it most recently.
final class PracticeDesk: Sendable {
    private struct State {
        var learners: [UUID: (practice: LearnerPractice, lastAsked: Int)] = [:]
        var asked = 0
    }

    private let services: Services
    private let state = Mutex(State())

    /// The maximum number of learners. Each needs several hundred kilobytes.
    static let most = 256

    init(_ services: Services) { self.services = services }

    /// Takes a step of a learner's practice. See `LearnerPractice`.
    func take<Outcome: Sendable>(
        of user: UUID, at moment: StudyMoment, _ step: @Sendable (inout PracticeTurn) throws -> Outcome
    ) async throws -> Outcome {
        try await practice(of: user).take(
            in: services.owned(by: user), at: moment, most: services.settings.limits.practiceLines, step)
    }

    private func practice(of user: UUID) -> LearnerPractice {
        state.withLock { state in
            state.asked += 1
            let practice = state.learners[user]?.practice ?? LearnerPractice()
            state.learners[user] = (practice, state.asked)
            if state.learners.count > Self.most,
                let oldest = state.learners.min(by: { $0.value.lastAsked < $1.value.lastAsked })?.key
            {
                state.learners[oldest] = nil
            }
            return practice
        }
    }
}

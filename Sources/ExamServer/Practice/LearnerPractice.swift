import ExamStore
import Foundation
import HTTPTypes
import Learning
import Synchronization

/// One step of a learner's practice: what is known before it, and what it adds.
struct PracticeTurn {
    let history: PracticeHistory
    let moment: StudyMoment
    /// What is to be kept of it.
    fileprivate(set) var events: [PracticeEvent] = []
    /// The one that is open, at its present question; nil where none is, or all that it had is answered or gone from the packs.
    var drill: Drill?

    fileprivate init(_ history: PracticeHistory, _ moment: StudyMoment, _ drill: Drill?) {
        (self.history, self.moment, self.drill) = (history, moment, drill)
    }

    mutating func keep(_ event: PracticeEvent) {
        if events.isEmpty {
            if history.weights == nil { events.append(.weights(FSRS.weightsVersion)) }
            // Looks at all that is known: only where there is something to bring up to date.
            if history.dataVersion ?? 0 < LessonMigration.dataVersion {
                events += LessonMigration.events(for: history)
            }
        }
        events.append(event)
    }

    /// Keeps what is to be kept of a drill's commands, and gives back the rest.
    mutating func carryOut(_ commands: [Drill.Command]) -> [Drill.Command] {
        commands.filter { command in
            guard case .keep(let event) = command else { return true }
            keep(event)
            return false
        }
    }
}

/// What a node knows of one learner's practice: as many lines of their log as it has read, and what they come to.
///
/// Any node may append at any time. Whoever finds the number of its line taken reads on and takes its step again, from what is known then.
final class LearnerPractice: Sendable {
    private struct Known {
        /// Of the last line that was read; 0: none was.
        var number = 0
        var line: String?
        var history = PracticeHistory()
        var drill: Drill?
        /// How many answers of the drill that one has: with another number in the log it is out of date.
        var drillAnswers = 0

        /// Lines that are known already are passed over.
        ///
        /// - Throws: `unusable` where a line is none that this program knows.
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

        /// The drill that is open, at its present question.
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

    /// Lines that are read at a time.
    private static let page = 5_000
    /// Whoever loses so many races asks later.
    private static let mostTries = 50

    /// Takes a step, and keeps what it adds before this returns.
    ///
    /// - Parameters:
    ///   - most: lines that a log may have.
    ///   - step: may be taken again, where another node was faster.
    /// - Throws: what the step throws; `APIProblem` 429 where the log is full; `StoreError`.
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
        // What a step does to the drill without a line of the log, such as going on from what was looked at, is this node's alone.
        if lines.isEmpty { known.hold(turn.drill) }
        return Step(
            outcome: outcome, drill: turn.drill, lines: lines, number: known.number, line: known.line)
    }

    /// Reads what the log has beside what is known.
    private func read(_ owned: OwnedStore) async throws(StoreError) {
        while true {
            let (number, line) = known.withLock { ($0.number, $0.line) }
            let read = try await owned.practiceLines(after: number, knowing: line, limit: Self.page)
            guard let read else {
                // It was erased, and perhaps begun anew.
                known.withLock { if $0.number == number { $0 = Known() } }
                continue
            }
            try known.withLock { (known) throws(StoreError) in try known.add(read) }
            if read.count < Self.page { return }
        }
    }
}

/// The learners whose practice a node knows: the last ones who practised on it.
final class PracticeDesk: Sendable {
    private struct State {
        var learners: [UUID: (practice: LearnerPractice, lastAsked: Int)] = [:]
        var asked = 0
    }

    private let services: Services
    private let state = Mutex(State())

    /// Some hundred kilobytes each.
    static let most = 256

    init(_ services: Services) { self.services = services }

    /// Takes a step of a learner's practice; see `LearnerPractice`.
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

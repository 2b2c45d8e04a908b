import ExamKit
import Glibc
import Learning
import Papers
import SystemSupport

/// A drill over a learner's log: what is to be kept is kept before anything of it is shown. One thread.
final class DrillRun {
    private let log: PracticeLog
    private(set) var drill: Drill
    let catalogue: PracticeCatalogue
    /// It was begun before, and goes on.
    let isResumed: Bool
    private var askedAt = SteadyClock.now

    /// - Parameters:
    ///   - wish: nil goes on with the drill that was left; a new one begins where there is none.
    ///   - goesOn: right answers are followed by the next question by themselves.
    /// - Throws: `Problem.occupied` where another window has a drill.
    init(_ wish: PracticeWish?, _ home: PracticeHome, goesOn: Bool) throws(Problem) {
        log = try home.log()
        catalogue = home.catalogue
        let goesOnAfter = goesOn ? Drill.autoAdvance : nil
        if wish == nil, let open = log.history.openDrill {
            drill = Drill(resuming: open, of: catalogue, log.history, goesOnAfter: goesOnAfter)
            isResumed = drill.phase == .left
            // All that it had was answered, or is gone from the packs: it ends here, and another begins.
            if isResumed { return }
            try log.append([.finished(drill: drill.number)], at: .now)
        } else {
            isResumed = false
        }
        let load = DayLoad(wish ?? .init(), of: catalogue, log.history, at: .now)
        drill = Drill(
            log.history.lastDrill + 1, load.exercises, of: catalogue, log.history, goesOnAfter: goesOnAfter)
    }

    var history: PracticeHistory { log.history }

    /// - Returns: what is to be shown first; nothing where there is nothing to practise.
    func begin() throws -> [Drill.Command] {
        guard drill.phase != .finished else { return [] }
        return try carryOut(isResumed ? drill.handle(.resume) : drill.opening)
    }

    func answer(_ answer: PracticeAnswer) throws -> [Drill.Command] {
        try carryOut(
            drill.handle(.answer(answer, seconds: Double((SteadyClock.now - askedAt) / .milliseconds(1)) / 1000)))
    }

    func handle(_ event: Drill.Event) throws -> [Drill.Command] { try carryOut(drill.handle(event)) }

    /// Keeps what is to be kept, and gives back the rest.
    private func carryOut(_ commands: [Drill.Command]) throws(Problem) -> [Drill.Command] {
        var shown: [Drill.Command] = []
        for command in commands {
            switch command {
            case .keep(let event): try log.append([event], at: .now)
            case .ask, .show:
                askedAt = SteadyClock.now
                shown.append(command)
            case .explain, .goOn: shown.append(command)
            case .finish:
                try log.synchronize()
                shown.append(command)
            }
        }
        return shown
    }
}

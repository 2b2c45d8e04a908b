import Glibc
import Learning
import StudyFolders
import SystemSupport

/// A drill that records to the learner's log. Each event is stored before its result is shown. Use it from one thread.
final class DrillRun {
    private let log: PracticeLog
    private(set) var drill: Drill
    let catalogue: PracticeCatalogue
    /// Whether it continues a drill that was begun earlier.
    let isResumed: Bool
    private var askedAt = SteadyClock.now

    /// - Parameters:
    ///   - wish: nil to continue the drill that was left, or to begin a new one if none was left.
    ///   - goesOn: Whether the next question follows a right answer automatically.
    /// - Throws: `Problem.occupied` if a drill is running in another window.
    init(_ wish: PracticeWish?, _ home: PracticeHome, goesOn: Bool) throws(Problem) {
        log = try home.log()
        catalogue = home.catalogue
        let goesOnAfter = goesOn ? Drill.autoAdvance : nil
        if wish == nil, let open = log.history.openDrill {
            drill = Drill(resuming: open, of: catalogue, log.history, goesOnAfter: goesOnAfter)
            isResumed = drill.phase == .left
            // All its questions were answered, or have been removed from the packs. Ends this drill and begins another.
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

    /// - Returns: The first commands to show; empty if there is nothing to practise.
    func begin() throws -> [Drill.Command] {
        guard drill.phase != .finished else { return [] }
        return try carryOut(isResumed ? drill.handle(.resume) : drill.opening)
    }

    func answer(_ answer: PracticeAnswer) throws -> [Drill.Command] {
        try carryOut(
            drill.handle(.answer(answer, seconds: Double((SteadyClock.now - askedAt) / .milliseconds(1)) / 1000)))
    }

    func handle(_ event: Drill.Event) throws -> [Drill.Command] { try carryOut(drill.handle(event)) }

    /// Stores the events among the commands, and returns the other commands.
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

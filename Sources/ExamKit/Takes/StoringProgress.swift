import Synchronization
import SystemSupport

/// How many closed takes are not stored yet, and what went wrong with any: written by the encoders, read by the loop.
final class StoringProgress: Sendable {
    struct State {
        var pending = 0
        /// What keeps answers from being encoded: of the last take that is stored. It is over when a later one went well (A8).
        var problem: Problem?
        /// The first problem of any take, whether or not it is over: that take stayed as it was recorded.
        var firstProblem: Problem?
        /// Takes are stored at the same time, and the last one is not the last to be ready.
        fileprivate var begun = 0
        fileprivate var last = 0
    }

    private let state = Mutex(State())

    var now: State { state.withLock { $0 } }

    /// - Returns: the take's number, to end it by.
    func began() -> Int {
        state.withLock {
            $0.pending += 1
            $0.begun += 1
            return $0.begun
        }
    }

    func ended(_ number: Int, _ problem: Problem?) {
        state.withLock {
            $0.pending -= 1
            $0.firstProblem = $0.firstProblem ?? problem
            guard number > $0.last else { return }
            $0.last = number
            $0.problem = problem
        }
    }
}

import Synchronization
import SystemSupport

/// The number of closed takes that are not stored yet, and their problems. Written by the encoders, read by the loop.
final class StoringProgress: Sendable {
    struct State {
        var pending = 0
        /// The reason why answers cannot be encoded now: the problem of the stored take that was begun last. A later
        /// success clears it.
        var problem: Problem?
        /// The first problem of any take, cleared or not. That take stayed as it was recorded.
        var firstProblem: Problem?
        /// Takes are stored concurrently, so the last one begun need not be the last to finish.
        fileprivate var begun = 0
        fileprivate var last = 0
    }

    private let state = Mutex(State())

    var now: State { state.withLock { $0 } }

    /// - Returns: The take's number, to pass to `ended`.
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

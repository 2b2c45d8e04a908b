import Synchronization
import SystemSupport

/// How many closed takes are not stored yet, and what went wrong with any: written by the encoders, read by the loop.
final class StoringProgress: Sendable {
    struct State {
        var pending = 0
        /// The first thing that went wrong.
        var problem: Problem?
    }

    private let state = Mutex(State())

    var now: State { state.withLock { $0 } }

    func began() {
        state.withLock { $0.pending += 1 }
    }

    func ended(_ problem: Problem?) {
        state.withLock {
            $0.pending -= 1
            $0.problem = $0.problem ?? problem
        }
    }
}

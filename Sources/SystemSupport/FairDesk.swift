import Synchronization

/// A queue in which learners take turns (`FairShares`), with a limit of concurrent work.
package final class FairDesk<Learner: Hashable & Sendable>: Sendable {
    private struct State {
        var shares: FairShares<Learner>
        /// The work that waits for its turn.
        var turns: [Int: CheckedContinuation<Bool, Never>] = [:]
        var lastID = 0
        /// Work that was cancelled before it began to wait.
        var cancelled: Set<Int> = []
    }

    private let state: Mutex<State>

    package init(places: Int, mostEach: Int? = nil) {
        state = Mutex(State(shares: FairShares(places: places, mostEach: mostEach)))
    }

    /// The numbers of waiting and running items.
    package var counts: (waiting: Int, running: Int) {
        state.withLock { ($0.shares.waitingCount, $0.shares.runningCount) }
    }

    /// Runs work when its turn comes.
    ///
    /// - Parameter learner: the learner to charge for it.
    /// - Throws: the errors of the work; `CancellationError` if the task was cancelled before the work began.
    package func run<Value>(
        for learner: Learner, weight: Double = 1, _ work: () async throws -> Value
    ) async throws -> Value {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let isGranted = await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                let waits = state.withLock { state in
                    guard state.cancelled.remove(id) == nil else { return false }
                    state.shares.add(id, for: learner, weight: weight)
                    state.turns[id] = turn
                    return true
                }
                if waits { begin() } else { turn.resume(returning: false) }
            }
        } onCancel: {
            giveUp(id)
        }
        guard isGranted else { throw CancellationError() }
        let began = SteadyClock.now
        defer {
            state.withLock { $0.shares.end(id, seconds: (SteadyClock.now - began) / .seconds(1)) }
            begin()
        }
        return try await work()
    }

    /// Starts the work that may start now.
    private func begin() {
        let granted = state.withLock { state in
            var granted: [CheckedContinuation<Bool, Never>] = []
            while let id = state.shares.next() { granted.append(state.turns.removeValue(forKey: id)!) }
            return granted
        }
        for turn in granted { turn.resume(returning: true) }
    }

    private func giveUp(_ id: Int) {
        let turn = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            if let turn = state.turns.removeValue(forKey: id) {
                state.shares.remove(id)
                return turn
            }
            // The work was already started, or isn't waiting yet.
            if !state.shares.isRunning(id) { state.cancelled.insert(id) }
            return nil
        }
        turn?.resume(returning: false)
    }
}

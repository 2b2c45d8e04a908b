import Synchronization

/// The answer to the latest request of a kind, as a screen shows it. Answers of cancelled or replaced requests never
/// appear.
///
/// ```
/// idle ──ask──► loading ──answer──► loaded        a new request cancels the one before, and the state is loading again
///                  │
///                  └──failure, cancel──► the previous value if there is one; otherwise failed or idle
/// ```
///
/// The screen's model owns it: when the model is released, the request is cancelled. Ask from any thread.
final class LatestAnswer<Value: Sendable>: Sendable {
    typealias Fetch = @Sendable () async throws(ServiceProblem) -> Value

    private struct State {
        var shown = Loadable<Value>.idle
        var loaded: Value?
        /// The number of the current request. Answers with another number are outdated.
        var number = 0
        var task: Task<Void, Never>?
        var failed: (problem: ServiceProblem, fetch: Fetch)?
        var listeners: [Int: AsyncStream<Loadable<Value>>.Continuation] = [:]
        var nextListener = 0

        mutating func show(_ new: Loadable<Value>) {
            shown = new
            // Listeners are told under the lock, so that they receive the states in order.
            for listener in listeners.values { listener.yield(new) }
        }

        /// Ends the current request, because it is complete or replaced.
        mutating func begin() -> Task<Void, Never>? {
            number += 1
            failed = nil
            defer { task = nil }
            return task
        }
    }

    private let state = Mutex(State())

    deinit {
        let (task, listeners) = state.withLock { ($0.begin(), Array($0.listeners.values)) }
        task?.cancel()
        for listener in listeners { listener.finish() }
    }

    var shown: Loadable<Value> { state.withLock { $0.shown } }

    /// The last value that was loaded. It remains until a later request loads another one.
    var loaded: Value? { state.withLock { $0.loaded } }

    /// The alert for the failure of the last request; nil if it succeeded, or a new one has begun.
    var alert: AlertState? {
        state.withLock { $0.failed }.map { failed in
            .error(failed.problem) { [weak self] in _ = self?.ask(failed.fetch) }
        }
    }

    /// The present state and every later one. The stream ends with this object.
    var changes: AsyncStream<Loadable<Value>> {
        let (stream, listener) = AsyncStream.makeStream(of: Loadable<Value>.self)
        let number = state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = listener
            listener.yield(state.shown)
            return state.nextListener
        }
        listener.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// Makes a request, and cancels the previous one.
    ///
    /// - Returns: A task that ends when the answer is shown or dropped. Cancelling it cancels the request.
    @discardableResult
    func ask(_ fetch: @escaping Fetch) -> Task<Void, Never> {
        let (before, number) = state.withLock { state in
            let before = state.begin()
            state.show(.loading)
            return (before, state.number)
        }
        before?.cancel()
        let task = Task { [weak self] in
            let outcome: Result<Value, ServiceProblem>
            do throws(ServiceProblem) { outcome = .success(try await fetch()) } catch { outcome = .failure(error) }
            self?.take(Task.isCancelled ? nil : outcome, of: number, fetch)
        }
        // Another thread may have asked meanwhile.
        let isLast = state.withLock { state in
            if state.number == number { state.task = task }
            return state.number == number
        }
        if !isLast { task.cancel() }
        return task
    }

    func cancel() {
        let task = state.withLock { state in
            let task = state.begin()
            if state.shown.isLoading { state.show(state.loaded.map { .loaded($0) } ?? .idle) }
            return task
        }
        task?.cancel()
    }

    /// - Parameter outcome: nil if the request was cancelled.
    private func take(_ outcome: Result<Value, ServiceProblem>?, of number: Int, _ fetch: @escaping Fetch) {
        state.withLock { state in
            // The answer is outdated: another request has replaced this one.
            guard state.number == number else { return }
            state.task = nil
            switch outcome {
            case .success(let value):
                state.loaded = value
                state.show(.loaded(value))
            case .failure(let problem) where problem.kind != .cancelled:
                state.failed = (problem, fetch)
                state.show(state.loaded.map { .loaded($0) } ?? .failed(problem))
            case .failure, nil:
                state.show(state.loaded.map { .loaded($0) } ?? .idle)
            }
        }
    }
}

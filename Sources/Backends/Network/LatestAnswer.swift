import Synchronization

/// What came of the last request of its kind, as a screen shows it: of one that was cancelled or overtaken nothing is ever seen (V11).
///
/// ```
/// idle ──ask──► loading ──answer──► loaded        asked again, it is loading again, and the request before is cancelled
///                  │
///                  └──failure, cancel──► what was loaded before; failed or idle where nothing was
/// ```
///
/// It is held by whoever shows it: where that goes, the request is cancelled. Any thread may ask.
final class LatestAnswer<Value: Sendable>: Sendable {
    typealias Fetch = @Sendable () async throws(ServiceProblem) -> Value

    private struct State {
        var shown = Loadable<Value>.idle
        var loaded: Value?
        /// Of the request that counts; what has another number is late news.
        var number = 0
        var task: Task<Void, Never>?
        var failed: (problem: ServiceProblem, fetch: Fetch)?
        var listeners: [Int: AsyncStream<Loadable<Value>>.Continuation] = [:]
        var nextListener = 0

        mutating func show(_ new: Loadable<Value>) {
            shown = new
            // Told under the lock: in the order in which it happened.
            for listener in listeners.values { listener.yield(new) }
        }

        /// The request that counts is over, or nobody wants it any more.
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

    /// What was loaded last, whatever is under way.
    var loaded: Value? { state.withLock { $0.loaded } }

    /// Why the last request failed; nil where it did not, or another one has begun.
    var alert: AlertState? {
        state.withLock { $0.failed }.map { failed in
            .error(failed.problem) { [weak self] in _ = self?.ask(failed.fetch) }
        }
    }

    /// What is shown now, and each change of it from here on. It ends with this.
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

    /// Asks; what was asked before is cancelled.
    ///
    /// - Returns: over when this request's answer is shown, or dropped. To cancel it is to cancel the request.
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

    /// - Parameter outcome: nil where it was cancelled.
    private func take(_ outcome: Result<Value, ServiceProblem>?, of number: Int, _ fetch: @escaping Fetch) {
        state.withLock { state in
            // Late news of a request that another one took the place of.
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

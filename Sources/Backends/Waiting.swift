import Synchronization

extension Task where Failure == Never {
    /// The task's value; nil as soon as the waiting task is cancelled. This task itself continues for the others.
    var valueUnlessCancelled: Success? {
        get async {
            let waiter = Waiter<Success>()
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    waiter.wait(continuation)
                    Task<Void, Never> { waiter.end(await value) }
                }
            } onCancel: {
                waiter.end(nil)
            }
        }
    }
}

/// A continuation that is resumed once, by the first event.
private final class Waiter<Value: Sendable>: Sendable {
    private enum State {
        case nobody
        case waiting(CheckedContinuation<Value?, Never>)
        case ended
    }

    private let state = Mutex(State.nobody)

    func wait(_ continuation: CheckedContinuation<Value?, Never>) {
        let isOver = state.withLock { state in
            if case .ended = state { return true }
            state = .waiting(continuation)
            return false
        }
        if isOver { continuation.resume(returning: nil) }
    }

    func end(_ value: Value?) {
        let waiting = state.withLock { state -> CheckedContinuation<Value?, Never>? in
            defer { state = .ended }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(returning: value)
    }
}

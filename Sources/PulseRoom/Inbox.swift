import AudioFiles
import ExamCore
import Synchronization

/// What happened in a room and was not looked at yet, in order: filled from any thread, emptied by one task.
final class Inbox: Sendable {
    enum Item: Sendable {
        case heard(AudioBlock)
        case lost(Duration)
        case happened(Exam.Event)
    }

    private struct State {
        var items: [Item] = []
        var first = 0
        var isClosed = false
        var waiting: CheckedContinuation<Item?, Never>?
    }

    private let state = Mutex(State())

    /// Nothing is taken in after `close`.
    func put(_ item: Item) {
        let waiting = state.withLock { state -> CheckedContinuation<Item?, Never>? in
            guard !state.isClosed else { return nil }
            if let waiting = state.waiting {
                state.waiting = nil
                return waiting
            }
            state.items.append(item)
            return nil
        }
        waiting?.resume(returning: item)
    }

    /// Forgets the sound that waits: nobody was listening.
    func forgetSound() {
        state.withLock { state in
            state.items = state.items[state.first...].filter { if case .heard = $0 { false } else { true } }
            state.first = 0
        }
    }

    /// What is in it is still handed out, and then nil.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }

    /// The next item; nil: closed and empty. One task at a time.
    func next() async -> Item? {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state -> Item?? in
                if state.first < state.items.count {
                    defer {
                        state.first += 1
                        if state.first == state.items.count {
                            state.items.removeAll(keepingCapacity: true)
                            state.first = 0
                        }
                    }
                    return state.items[state.first]
                }
                if state.isClosed { return .some(nil) }
                precondition(state.waiting == nil, "two tasks wait for one room")
                state.waiting = continuation
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }
}

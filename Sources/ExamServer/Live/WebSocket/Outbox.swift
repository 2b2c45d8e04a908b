import NIOCore
import Synchronization

/// Passes items from any thread to an event loop, in order.
///
/// `Channel.write` alone does not keep the order: on the loop's own thread it writes at once, before items from other
/// threads that the loop has not processed yet. An exam is heard on its loop and its answers arrive on other threads,
/// and a client ignores an event that comes after a later one.
final class Outbox<Item: Sendable>: Sendable {
    private let loop: any EventLoop
    private let write: @Sendable (Item) -> Void
    private let state = Mutex(State())

    private struct State {
        var waiting: [Item] = []
        /// Whether items are being written. Items added meanwhile follow.
        var isWriting = false
    }

    /// Creates the outbox.
    ///
    /// - Parameter write: called on the loop's thread.
    init(_ loop: any EventLoop, write: @escaping @Sendable (Item) -> Void) {
        self.loop = loop
        self.write = write
    }

    func put(_ item: Item) {
        // If others are waiting, the loop has already been called.
        let isAlone = state.withLock { state in
            state.waiting.append(item)
            return state.waiting.count == 1 && !state.isWriting
        }
        if loop.inEventLoop { empty() } else if isAlone { loop.execute { self.empty() } }
    }

    /// Writes the waiting items. Called on the loop's thread.
    func empty() {
        if state.withLock({ $0.isWriting }) { return }  // This thread is already writing.
        while let item = next() { write(item) }
    }

    private func next() -> Item? {
        state.withLock { state in
            state.isWriting = !state.waiting.isEmpty
            return state.isWriting ? state.waiting.removeFirst() : nil
        }
    }
}

import NIOCore
import Synchronization

/// Takes what any thread puts into it to an event loop, in the order in which it was put.
///
/// `Channel.write` alone does not: from the loop's own thread it writes at once, before what other threads wrote earlier and the loop has not
/// looked at yet. An exam is heard on its loop and its answers arrive on other threads, and a client passes over an event that comes after a
/// later one.
final class Outbox<Item: Sendable>: Sendable {
    private let loop: any EventLoop
    private let write: @Sendable (Item) -> Void
    private let state = Mutex(State())

    private struct State {
        var waiting: [Item] = []
        /// Whether they are being written: what is put meanwhile goes after them.
        var isWriting = false
    }

    /// - Parameter write: called on the loop's thread.
    init(_ loop: any EventLoop, write: @escaping @Sendable (Item) -> Void) {
        self.loop = loop
        self.write = write
    }

    func put(_ item: Item) {
        // Where others wait, somebody is on the way for them.
        let isAlone = state.withLock { state in
            state.waiting.append(item)
            return state.waiting.count == 1 && !state.isWriting
        }
        if loop.inEventLoop { empty() } else if isAlone { loop.execute { self.empty() } }
    }

    /// Writes what waits; on the loop's thread.
    func empty() {
        if state.withLock({ $0.isWriting }) { return }  // By this very thread.
        while let item = next() { write(item) }
    }

    private func next() -> Item? {
        state.withLock { state in
            state.isWriting = !state.waiting.isEmpty
            return state.isWriting ? state.waiting.removeFirst() : nil
        }
    }
}

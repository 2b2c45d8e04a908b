package import Synchronization

/// A queue of items that any thread fills and one task empties, in order.
///
/// Its functions are inlinable, so that the compiler specialises them for the items of other modules. With hundreds of
/// exams the gain is measurable.
package final class Inbox<Item: Sendable>: Sendable {
    @usableFromInline struct State {
        @usableFromInline var items: [Item] = []
        @usableFromInline var first = 0
        @usableFromInline var isClosed = false
        @usableFromInline var waiting: CheckedContinuation<Item?, Never>?
        /// The tasks that wait until the inbox has at most `most` items.
        @usableFromInline var patient: [(most: Int, continuation: CheckedContinuation<Void, Never>)] = []

        @inlinable init() {}

        @inlinable var count: Int { items.count - first }

        @inlinable mutating func takeFirst() -> Item? {
            guard first < items.count else { return nil }
            defer {
                first += 1
                if first == items.count {
                    items.removeAll(keepingCapacity: items.capacity <= 64)
                    first = 0
                } else if first >= 64 {
                    items.removeFirst(first)
                    first = 0
                }
            }
            return items[first]
        }

        /// Removes and returns the tasks that need not wait any more.
        @inlinable mutating func release() -> [CheckedContinuation<Void, Never>] {
            guard !patient.isEmpty else { return [] }
            let (count, isClosed) = (count, isClosed)
            let released = patient.filter { isClosed || count <= $0.most }.map(\.continuation)
            patient.removeAll { isClosed || count <= $0.most }
            return released
        }
    }

    @usableFromInline let state = Mutex(State())

    @inlinable package init() {}

    /// - Returns: false after `close`, when the inbox accepts nothing more.
    @discardableResult
    @inlinable package func put(_ item: Item) -> Bool {
        let (isOpen, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Item?, Never>?) in
            guard !state.isClosed else { return (false, nil) }
            if let waiting = state.waiting {
                state.waiting = nil
                return (true, waiting)
            }
            state.items.append(item)
            return (true, nil)
        }
        waiting?.resume(returning: item)
        return isOpen
    }

    /// The number of waiting items.
    @inlinable package var count: Int { state.withLock { $0.count } }

    /// Removes the waiting items that match.
    @inlinable package func forget(where isSuch: (Item) -> Bool) {
        let released = state.withLock { state in
            state.items = state.items[state.first...].filter { !isSuch($0) }
            state.first = 0
            return state.release()
        }
        for continuation in released { continuation.resume() }
    }

    /// Removes and returns all waiting items without waiting for any.
    @inlinable package func takeAll() -> [Item] {
        let (items, released) = state.withLock { state in
            let items = Array(state.items[state.first...])
            state.items.removeAll()
            state.first = 0
            return (items, state.release())
        }
        for continuation in released { continuation.resume() }
        return items
    }

    /// Closes the inbox. The remaining items are still handed out, followed by nil.
    @inlinable package func close() {
        let (waiting, released) = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = nil }
            return (state.waiting, state.release())
        }
        waiting?.resume(returning: nil)
        for continuation in released { continuation.resume() }
    }

    /// Returns the next item; nil if the inbox is closed and empty. Only one task may wait at a time.
    @inlinable package func next() async -> Item? {
        // Usually there is an item, and no waiting is needed.
        let (first, released) = state.withLock { state in
            let first = state.takeFirst()
            return (first, first == nil ? [] : state.release())
        }
        for continuation in released { continuation.resume() }
        if let first { return first }
        return await withCheckedContinuation { continuation in
            let (ready, released) = state.withLock { state -> (Item??, [CheckedContinuation<Void, Never>]) in
                if let item = state.takeFirst() { return (item, state.release()) }
                if state.isClosed { return (.some(nil), []) }
                precondition(state.waiting == nil, "two tasks wait for one inbox")
                state.waiting = continuation
                return (nil, [])
            }
            if let ready { continuation.resume(returning: ready) }
            for continuation in released { continuation.resume() }
        }
    }

    /// Waits until at most `most` items are waiting, or the inbox is closed, so that the producer is no faster than the
    /// consumer.
    @inlinable package func emptied(to most: Int) async {
        if state.withLock({ $0.isClosed || $0.count <= most }) { return }
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.isClosed || state.count <= most { return true }
                state.patient.append((most, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}

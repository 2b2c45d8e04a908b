package import Synchronization

/// What happened and was not looked at yet, in order: filled from any thread, emptied by one task.
///
/// Inlinable, so that other modules' inboxes are compiled for their items: that is measurable with hundreds of exams.
package final class Inbox<Item: Sendable>: Sendable {
    @usableFromInline struct State {
        @usableFromInline var items: [Item] = []
        @usableFromInline var first = 0
        @usableFromInline var isClosed = false
        @usableFromInline var waiting: CheckedContinuation<Item?, Never>?
        /// Who wait for it to become emptier, and how few items may be in it then.
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

        /// Those of the patient who need not wait any more.
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

    /// - Returns: false after `close`: nothing is taken in any more.
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

    /// How many items wait.
    @inlinable package var count: Int { state.withLock { $0.count } }

    /// Forgets what waits and is such.
    @inlinable package func forget(where isSuch: (Item) -> Bool) {
        let released = state.withLock { state in
            state.items = state.items[state.first...].filter { !isSuch($0) }
            state.first = 0
            return state.release()
        }
        for continuation in released { continuation.resume() }
    }

    /// What waits, at once; nothing where nothing does.
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

    /// What is in it is still handed out, and then nil.
    @inlinable package func close() {
        let (waiting, released) = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = nil }
            return (state.waiting, state.release())
        }
        waiting?.resume(returning: nil)
        for continuation in released { continuation.resume() }
    }

    /// The next item; nil: closed and empty. One task at a time.
    @inlinable package func next() async -> Item? {
        // Mostly something is there: then nobody has to wait for anything.
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

    /// Waits until no more than so many items wait, or the inbox is closed: so whoever fills it goes no faster than it is emptied.
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

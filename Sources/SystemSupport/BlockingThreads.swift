import Dispatch
import Glibc
import Synchronization

/// Threads of their own for one kind of work that blocks, so that no other kind waits for it.
///
/// Dispatch's threads are everybody's: if all of them decode, a disk that answers at once is asked a minute later. Threads begin when there
/// is work for them and stay. Work begins in the order in which it came.
package final class BlockingThreads: Sendable {
    /// Reading and writing files on behalf of requests.
    package static let files = BlockingThreads(named: "files", count: 32)
    /// Questions whether a part of the server is well: asked even if all else is stuck.
    package static let probes = BlockingThreads(named: "probes", count: 4)

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        /// The index of the first that was not taken yet.
        var first = 0
        var threads = 0
        var idle = 0
    }

    private let name: String
    private let most: Int
    private let state = Mutex(State())
    /// Items that no thread has taken.
    private let count = DispatchSemaphore(value: 0)

    /// - Parameter count: the most threads.
    package init(named name: String, count: Int) {
        self.name = name
        most = count
    }

    func put(_ item: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.waiting.append(item)
            // Each idle thread is promised to one item.
            guard state.waiting.count - state.first > state.idle, state.threads < most else { return false }
            state.threads += 1
            return true
        }
        if needsThread { startThread() }
        count.signal()
    }

    private func startThread() {
        var thread: pthread_t = 0
        // The thread keeps these threads for as long as it lives, which is as long as the process does.
        let kept = Unmanaged.passRetained(self).toOpaque()
        let code = pthread_create(
            &thread, nil,
            { kept in
                Unmanaged<BlockingThreads>.fromOpaque(kept!).takeUnretainedValue().work()
                return nil
            }, kept)
        precondition(code == 0, "no thread for \(name): \(code)")
        pthread_detach(thread)
    }

    /// Never returns.
    private func work() {
        while true {
            state.withLock { $0.idle += 1 }
            count.wait()
            next()()
        }
    }

    private func next() -> @Sendable () -> Void {
        state.withLock { state in
            state.idle -= 1
            defer {
                state.first += 1
                if state.first == state.waiting.count || state.first >= 256 {
                    state.waiting.removeFirst(state.first)
                    state.first = 0
                }
            }
            return state.waiting[state.first]
        }
    }
}

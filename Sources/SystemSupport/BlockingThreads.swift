import Dispatch
import Glibc
import Synchronization

/// Separate threads for one kind of blocking work, so that other kinds don't wait for it.
///
/// Dispatch's own threads are shared by all work: if all of them decode sound, a read from a fast disk may wait for a
/// minute. Threads start when there is work for them and then stay. Work starts in the order of its arrival.
package final class BlockingThreads: Sendable {
    /// Reading and writing files on behalf of requests.
    package static let files = BlockingThreads(named: "files", count: 32)
    /// Health checks of the server's parts, which run even if everything else is stuck.
    package static let probes = BlockingThreads(named: "probes", count: 4)

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        /// The index of the first item that no thread has taken.
        var first = 0
        var threads = 0
        var idle = 0
    }

    private let name: String
    private let most: Int
    private let state = Mutex(State())
    /// Items that no thread has taken.
    private let count = DispatchSemaphore(value: 0)

    /// - Parameter count: the largest number of threads.
    package init(named name: String, count: Int) {
        self.name = name
        most = count
    }

    func put(_ item: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.waiting.append(item)
            // Start a thread only if the idle ones, each reserved for one item, are not enough.
            guard state.waiting.count - state.first > state.idle, state.threads < most else { return false }
            state.threads += 1
            return true
        }
        if needsThread { startThread() }
        count.signal()
    }

    private func startThread() {
        var thread: pthread_t = 0
        // The thread retains this object while it lives, which is until the process ends.
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

    /// Runs items forever.
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

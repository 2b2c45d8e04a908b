import Dispatch
import Foundation
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
    private let count: Int
    private let state = Mutex(State())
    private let work = DispatchSemaphore(value: 0)

    /// - Parameter count: the most threads.
    package init(named name: String, count: Int) {
        self.name = name
        self.count = count
    }

    func put(_ item: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.waiting.append(item)
            // Each idle thread is promised to one item.
            guard state.waiting.count - state.first > state.idle, state.threads < count else { return false }
            state.threads += 1
            return true
        }
        if needsThread { startThread() }
        work.signal()
    }

    private func startThread() {
        let thread = Thread { [self] in
            while true {
                state.withLock { $0.idle += 1 }
                work.wait()
                next()()
            }
        }
        thread.name = "oracy \(name)"
        thread.start()
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

import Dispatch
import Foundation
import Glibc
import Synchronization

/// Threads for what waits for a disk: some more than cores, so that an exam whose disk takes its time delays no other.
///
/// **What runs where.** An exam is one task, and only hearing runs on the event loop of its client's connection: from thread to thread
/// each message would cost more than what is done with it. What waits for a disk takes that task here and back: opening a session,
/// replaying its log, each line of the log, the samples of takes, a quarter of a second at once, and the commits of the queue. A busy
/// disk takes a tenth of a second for any of these, and on a loop all connections of that loop would wait with it.
///
/// **Order.** The task waits for what it has written here, so there is no second writer and no queue of lines: blocks and events are
/// dealt with one after the other, and a line is with the system before anything that follows from it is done or said. A kill
/// finds on disk what a kill of the terminal's exam would.
///
/// **Why not the threads of Swift's own pool.** There are as many as cores, they are everybody's, and none is to wait for a disk.
final class ExamThreads: TaskExecutor {
    /// This process's; they live as long as it does.
    static let shared = ExamThreads(count: max(8, 4 * Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))

    private let jobs = Jobs()

    init(count: Int) {
        for _ in 0..<count {
            let thread = Thread { [jobs, executor = asUnownedTaskExecutor()] in
                while true { jobs.next().runSynchronously(on: executor) }
            }
            thread.name = "exam disk"
            thread.start()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) { jobs.put(UnownedJob(job)) }

    /// What is to be run, in the order in which it came.
    private final class Jobs: Sendable {
        private struct Queue {
            var jobs: [UnownedJob] = []
            var first = 0
        }

        private let queue = Mutex(Queue())
        private let count = DispatchSemaphore(value: 0)

        func put(_ job: UnownedJob) {
            queue.withLock { $0.jobs.append(job) }
            count.signal()
        }

        func next() -> UnownedJob {
            count.wait()
            return queue.withLock { queue in
                defer {
                    queue.first += 1
                    if queue.first == queue.jobs.count {
                        queue.jobs.removeAll(keepingCapacity: true)
                        queue.first = 0
                    } else if queue.first >= 256 {
                        queue.jobs.removeFirst(queue.first)
                        queue.first = 0
                    }
                }
                return queue.jobs[queue.first]
            }
        }
    }
}

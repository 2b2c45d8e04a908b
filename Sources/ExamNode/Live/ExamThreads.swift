import Dispatch
import Foundation
import Glibc
import Synchronization

/// Threads for work that waits for a disk. There are more than cores, so that a slow disk delays only its own exam.
///
/// **What runs where.** An exam is one task. Only hearing runs on the event loop of its client's connection, because
/// passing each message between threads would cost more than processing it. For work that waits for a disk, the task
/// moves here and back: opening a session, replaying its log, writing lines of the log, writing samples of takes a
/// quarter of a second at a time, and committing the queue. On a busy disk each of these takes a tenth of a second, and
/// on an event loop all its connections would wait.
///
/// **Order.** The task waits for each write, so there is no second writer and no queue of lines. Blocks and events are
/// processed one after the other, and a line is handed to the operating system before anything that follows from it is
/// done or sent. After a kill the disk has the same state as after a kill of an exam in the terminal.
///
/// **Why not Swift's own threads.** There are as many as cores, all tasks share them, and they must not wait for a
/// disk.
final class ExamThreads: TaskExecutor {
    /// The threads of this process, which live as long as it does.
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

    /// The jobs in order of arrival.
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

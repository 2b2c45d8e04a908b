import NIOCore

/// Runs tasks on an event loop's own thread.
///
/// A connection's tasks, and the hearing of the exam behind it, wait for the loop mostly and do a tenth of a millisecond's work with
/// each message: from thread to thread of the pool that costs more than the work. Whatever waits for a disk runs on `ExamThreads`.
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

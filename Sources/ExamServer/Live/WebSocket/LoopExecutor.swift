import NIOCore

/// Runs tasks on an event loop's own thread.
///
/// A connection's tasks and the hearing of its exam mostly wait for the loop, and need a tenth of a millisecond for
/// each message. Switching to threads of the pool would cost more. Work that waits for a disk runs on `ExamThreads`.
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

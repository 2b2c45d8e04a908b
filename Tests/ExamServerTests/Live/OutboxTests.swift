import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import ExamServer

@Suite struct OutboxTests {
    /// What another thread puts while the loop is busy goes before what the loop's own thread puts then: else an answer that was stored
    /// is told after a later event, and the client passes over it (one exam in ten, in which answers were stored while others were heard).
    @Test func whatIsPutFirstGoesFirst() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let log = Log()
        let outbox = Outbox<Int>(loop) { item in
            // Writing may put more: it goes last.
            if item == 1 { log.outbox.withLock { $0 }?.put(4) }
            log.written.withLock { $0.append(item) }
        }
        log.outbox.withLock { $0 = outbox }
        let (isBusy, isPut) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let done = loop.submit {
            isBusy.signal()
            isPut.wait()
            outbox.put(3)
        }
        Thread.detachNewThread {
            isBusy.wait()
            outbox.put(1)
            outbox.put(2)
            isPut.signal()
        }
        try await done.get()
        try await loop.submit {}.get()
        #expect(log.written.withLock { $0 } == [1, 2, 3, 4])
        log.outbox.withLock { $0 = nil }
        try await group.shutdownGracefully()
    }

    private final class Log: Sendable {
        let written = Mutex<[Int]>([])
        let outbox = Mutex<Outbox<Int>?>(nil)
    }
}

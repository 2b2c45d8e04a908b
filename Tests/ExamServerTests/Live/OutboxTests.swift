import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import ExamServer

@Suite struct OutboxTests {
    /// Items that another thread puts in while the loop is busy are written before items that the loop's own thread
    /// puts in later. Otherwise the client hears of a stored answer after a later event, and ignores it. That happened
    /// in one exam in ten in which answers were stored while others were heard.
    @Test func itemsAreWrittenInTheOrderOfArrival() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let log = Log()
        let outbox = Outbox<Int>(loop) { item in
            // Writing may add an item, which goes last.
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

import Foundation
import Synchronization
import Testing

@testable import ExamStore

@Suite struct Commits {
    /// A closure that is kept and read again must not be wrapped anew each time: a server that held exams for hours overflowed its stack.
    @Test func whoListensIsCalledInTheSameWayAfterManyCommits() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "oracy-commits-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try SQLiteDatabase(path: folder.path + "/store.sqlite")
        let depths = Mutex<[Int]>([])
        database.listen { _ in depths.withLock { $0.append(Thread.callStackReturnAddresses.count) } }
        for _ in 0..<40 {
            try await database.transaction(.write, as: .service) { try $0.announceJobs() }
        }
        await database.close()
        let found = depths.withLock { $0 }
        // Fewer in an optimised build, and not of the same depth where the queue drains several at once; each wrapping adds two.
        #expect(found.count == 40 && (found.last ?? 0) < (found.first ?? 0) + 20, "\(found)")
    }
}

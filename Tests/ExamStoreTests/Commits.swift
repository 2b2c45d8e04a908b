import Foundation
import StoreTrials
import Synchronization
import Testing

@testable import ExamStore

@Suite struct Commits {
    /// A stored closure must not be wrapped again each time that it is read and stored. A server that held exams for
    /// hours overflowed its stack that way.
    @Test func aListenersStackDoesNotGrowWithCommits() async throws {
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
        // There are fewer frames in an optimised build, and their number varies if the queue drains several calls at
        // once. Each wrapping would add two.
        #expect(found.count == 40 && (found.last ?? 0) < (found.first ?? 0) + 20, "\(found)")
    }

    /// Planning a lookup by key again each time was a third of PostgreSQL's time.
    @Test(.store(only: .postgres, because: "SQLite keeps no count of its plans."))
    func postgreSQLPlansAStatementOnce() async throws {
        try await withStore(connections: 1) { store in
            let owned = store.owned(by: UUID())
            for _ in 0..<20 { _ = try await owned.session(UUID()) }
            let row = try await store.database.transaction(.read, as: .service) { connection in
                try connection.first(
                    """
                    SELECT max(generic_plans) AS once, max(custom_plans) AS anew FROM pg_prepared_statements
                    WHERE statement LIKE '%FROM test_sessions%'
                    """)
            }
            let (once, anew): (Int?, Int?) = (try row?.value("once"), try row?.value("anew"))
            #expect(once == 20 && anew == 0)
        }
    }
}

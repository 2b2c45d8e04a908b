import Foundation
import GRDB
import Glibc
import Synchronization

/// A store in one file, through GRDB: write-ahead log, `synchronous=FULL`, foreign keys.
///
/// Work runs on GRDB's own queues: one for writing, and up to five for reading the last committed state. Waiting calls
/// hold no thread.
final class SQLiteDatabase: SQLDatabase {
    private let pool: DatabasePool
    private let spelled = Mutex(SpelledSQL(.sqlite))
    private let listener = Mutex<Listener?>(nil)

    /// A wrapper around the closure. Each read of a closure that is stored directly in a `Mutex` wraps it once more.
    /// Each commit reads it, and after a hundred thousand commits a call overflowed the stack.
    private struct Listener: Sendable {
        let hear: @Sendable (News) -> Void
    }

    /// Opens or creates the file and its folder. Only their owner can access them.
    ///
    /// - Parameter patience: the seconds to wait for another program that is writing.
    init(path: String, patience: Double = 10) throws(StoreError) {
        let folder = (path as NSString).deletingLastPathComponent
        if !folder.isEmpty {
            try? FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        try Self.makeFile(path)
        var configuration = Configuration()
        configuration.busyMode = .timeout(patience)
        configuration.foreignKeysEnabled = true
        do {
            pool = try DatabasePool(path: path, configuration: configuration)
            // For a write-ahead log, GRDB sets `synchronous=NORMAL`, which loses the last commits in a power cut.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous=FULL; PRAGMA secure_delete=ON") }
        } catch {
            throw StoreError(sqlite: error)
        }
    }

    /// Creates the file. SQLite gives its other files the mode of this one.
    private static func makeFile(_ path: String) throws(StoreError) {
        guard mknod(path, S_IFREG | 0o600, 0) == 0 || errno == EEXIST else {
            throw StoreError(.unavailable, "\(path): \(String(cString: strerror(errno)))")
        }
    }

    /// Copies the database with SQLite's online backup in one step: a snapshot of one moment, regardless of concurrent
    /// writes.
    func backUp(to path: String) async throws(StoreError) {
        try Self.makeFile(path)
        let pool = pool
        let result: Result<Void, StoreError> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Self.result {
                        let copy = try DatabaseQueue(path: path)
                        try pool.backup(to: copy)
                        try copy.close()
                    })
            }
        }
        try result.get()
    }

    func transaction<Value: Sendable>(
        _ access: Access, as identity: Identity, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            switch access {
            case .write:
                pool.asyncWriteWithoutTransaction { database in
                    let (result, announced) = self.write(in: database, body)
                    continuation.resume(returning: result)
                    if let listener = self.listener.withLock({ $0 }) { announced.forEach(listener.hear) }
                }
            case .read:
                pool.asyncRead { database in
                    continuation.resume(
                        returning: Self.result {
                            try body(SQLiteConnection(database.get(), spelling: self.spelling))
                        })
                }
            }
        }
        return try result.get()
    }

    private func write<Value>(
        in database: Database, _ body: (any SQLConnection) throws -> Value
    ) -> (Result<Value, StoreError>, announced: Set<News>) {
        let connection = SQLiteConnection(database, spelling: spelling)
        let result = Self.result {
            try database.execute(sql: "BEGIN IMMEDIATE")
            do {
                let value = try body(connection)
                try database.execute(sql: "COMMIT")
                return value
            } catch {
                if database.isInsideTransaction { try? database.rollback() }
                throw error
            }
        }
        return (result, (try? result.get()) == nil ? [] : connection.news)
    }

    private func spelling(_ sql: String) -> String { spelled.withLock { $0.spelled(sql) } }

    func listen(_ heard: @escaping @Sendable (News) -> Void) {
        listener.withLock { $0 = $0 ?? Listener(hear: heard) }
    }

    func close() async {
        let pool = pool
        await withCheckedContinuation { continuation in
            // Closing waits for the calls in progress.
            DispatchQueue.global().async {
                try? pool.close()
                continuation.resume()
            }
        }
    }

    private static func result<Value>(_ body: () throws -> Value) -> Result<Value, StoreError> {
        Result { try body() }.mapError(StoreError.init(sqlite:))
    }
}

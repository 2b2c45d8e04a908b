import Synchronization

/// A run of a test on one database: its kind, and the databases to drop at the end.
final class StoreScope: Sendable {
    let base: Base
    private let made = Mutex<[TestDatabase]>([])
    private let ofFolders = Mutex<[String: Task<TestDatabase, any Error>]>([:])

    @TaskLocal static var current: StoreScope?

    init(_ base: Base) { self.base = base }

    static var ofThisTest: StoreScope {
        get throws(StoreTrialFailure) {
            guard let current else {
                throw StoreTrialFailure(
                    description: "This test opens a store, and its suite does not say on which databases: add "
                        + ".bothStores or .store(only:) to the suite, and onSameStore to threads of its own.")
            }
            return current
        }
    }

    func keep(_ database: TestDatabase) { made.withLock { $0.append(database) } }

    /// Returns the database that belongs to a folder. `make` runs at the first call for it.
    func database(of folder: String, _ make: @escaping @Sendable () async throws -> TestDatabase) async throws
        -> TestDatabase
    {
        let task = ofFolders.withLock { folders in
            let task = folders[folder] ?? Task { try await make() }
            folders[folder] = task
            return task
        }
        return try await task.value
    }

    /// Drops every database that the run has made.
    func end() async {
        let made = made.withLock { made in
            defer { made = [] }
            return made
        }
        for database in made { await database.drop() }
    }
}

/// Carries the running test's database to another thread, which doesn't inherit task-local values. Pass the result to
/// `Thread`, Dispatch or `Task.detached`.
public func onSameStore<Value>(_ work: @escaping @Sendable () throws -> Value) -> @Sendable () throws -> Value {
    let scope = StoreScope.current
    return { try StoreScope.$current.withValue(scope) { try work() } }
}

public import ExamStore
import Foundation
import LoopbackServers

/// An empty database for one test, of the kind that the test runs on. The trait drops it when the test has ended.
///
/// On PostgreSQL it belongs to an ordinary role that is subject to row-level security, in the cluster that all tests of
/// this process share.
public struct TestDatabase: Sendable {
    public let base: Base
    /// The path of a file, or `postgresql://…`.
    public let address: String
    /// The folder to remove, if the database is a file in its own folder.
    private let folder: String?

    /// Makes a database without tables.
    public init() async throws {
        let scope = try StoreScope.ofThisTest
        switch scope.base {
        case .sqlite:
            let folder = "/tmp/oracy-store-\(UUID().uuidString.prefix(8))"
            self.init(.sqlite, "\(folder)/store.sqlite", folder: folder)
        case .postgres: self.init(.postgres, try await PostgresServer.shared.value.makeDatabase())
        }
        scope.keep(self)
    }

    private init(_ base: Base, _ address: String, folder: String? = nil) {
        self.base = base
        self.address = address
        self.folder = folder
    }

    /// Makes a database with the present tables.
    public static func migrated() async throws -> TestDatabase {
        let scope = try StoreScope.ofThisTest
        guard scope.base == .postgres else {
            let database = try await TestDatabase()
            try await database.migrate()
            return database
        }
        // A copy takes a fifteenth of the time of the migration.
        let address = try await PostgresServer.shared.value.makeDatabase(from: template.value)
        let database = TestDatabase(.postgres, address)
        scope.keep(database)
        return database
    }

    /// Returns the database of a server that keeps its files in this folder, with the present tables. Servers with the
    /// same folder share a database, at the same time or one after another.
    public static func of(folder: String) async throws -> TestDatabase {
        let scope = try StoreScope.ofThisTest
        return try await scope.database(of: folder) {
            guard scope.base == .sqlite else { return try await migrated() }
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            // The folder belongs to the test, which removes it.
            let database = TestDatabase(.sqlite, folder + "/oracy.sqlite")
            try await database.migrate()
            return database
        }
    }

    public func open(connections: Int = 4) throws -> ExamDatabase {
        try Self.open(address, connections: connections)
    }

    /// Opens a database by its address, in another process.
    public static func open(_ address: String, connections: Int = 4) throws -> ExamDatabase {
        address.hasPrefix("postgresql:")
            ? try ExamDatabase.postgres(address, connections: connections) : try ExamDatabase.sqlite(path: address)
    }

    /// The options `--database` and its address for `oracy-server`; empty for SQLite, whose file is in the folder of
    /// `--data`.
    public var serverOptions: [String] { base == .postgres ? ["--database", address] : [] }

    private func migrate() async throws {
        let store = try open(connections: 1)
        do {
            try await store.migrate()
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    func drop() async {
        if let folder { try? FileManager.default.removeItem(atPath: folder) }
        if base == .postgres { try? await PostgresServer.shared.value.dropDatabase(address) }
    }

    /// The address of a PostgreSQL database with the present tables, to copy.
    private static let template = Task {
        let database = TestDatabase(.postgres, try await PostgresServer.shared.value.makeDatabase())
        try await database.migrate()
        return database.address
    }
}

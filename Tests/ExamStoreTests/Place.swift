import ExamStore
import Foundation
import LoopbackServers
import Synchronization
import Testing

/// The databases that every claim is held against.
enum Base: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite, postgres

    /// Those that can be had here; `Walls` are skipped, and say so, where PostgreSQL cannot.
    static var here: [Base] { PostgresServer.obstacle == nil ? allCases : [.sqlite] }

    var testDescription: String { rawValue }
}

/// A database of a test's own, empty; gone after it.
struct Place: Sendable {
    let base: Base
    /// The file, or the address.
    let address: String
    private let folder: String?

    init(_ base: Base) async throws {
        self.base = base
        switch base {
        case .sqlite:
            let folder = "/tmp/oracy-store-\(UUID().uuidString.prefix(8))"
            address = "\(folder)/store.sqlite"
            self.folder = folder
        case .postgres:
            address = try await Self.server.value.makeDatabase()
            folder = nil
        }
    }

    /// One cluster for all tests, which end with it.
    static let server = Task { try await PostgresServer.start() }

    func open(connections: Int = 4) throws -> ExamDatabase {
        switch base {
        case .sqlite: try ExamDatabase.sqlite(path: address)
        case .postgres: try ExamDatabase.postgres(address, connections: connections)
        }
    }

    func remove() {
        if let folder { try? FileManager.default.removeItem(atPath: folder) }
    }
}

/// Runs a claim on a store with its tables.
func withStore(_ base: Base, connections: Int = 4, _ body: (ExamDatabase) async throws -> Void) async throws {
    let place = try await Place(base)
    defer { place.remove() }
    let store = try place.open(connections: connections)
    try await store.migrate()
    do {
        try await body(store)
    } catch {
        await store.close()
        throw error
    }
    await store.close()
}

/// Expects a store's error of this kind.
///
/// - Returns: its words.
@discardableResult
func expect(
    _ kind: StoreError.Kind, place: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async -> String {
    do {
        try await body()
        Issue.record("nothing was thrown", sourceLocation: place)
        return ""
    } catch {
        #expect((error as? StoreError)?.kind == kind, "\(error)", sourceLocation: place)
        return "\(error)"
    }
}

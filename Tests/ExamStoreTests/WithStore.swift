import ExamStore
import StoreTrials
import Testing

/// Runs a test on a migrated store.
func withStore(connections: Int = 4, _ body: (ExamDatabase) async throws -> Void) async throws {
    let store = try await TestDatabase.migrated().open(connections: connections)
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
/// - Returns: The error's message.
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

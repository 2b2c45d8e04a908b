import Foundation

struct PostgresDatabase: SQLDatabase {
    init(_ url: String, connections: Int) throws(StoreError) { throw StoreError(.unusable, "not yet") }
    func transaction<Value: Sendable>(
        _ access: Access, as identity: Identity, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value { throw StoreError(.unusable, "not yet") }
    func listen(_ heard: @escaping @Sendable () -> Void) {}
    func close() async {}
}

import Dispatch

/// One connection of the pool with its queue, which is needed because calls block. It connects on first use, and again
/// after a failure.
final class PostgresSeat: @unchecked Sendable {
    private let queue: DispatchQueue
    private let address: PostgresAddress
    private let patience: PostgresPatience
    /// The connection. Used only on `queue`.
    private var connection: PostgresConnection?

    init(_ address: PostgresAddress, _ patience: PostgresPatience, number: Int) {
        self.address = address
        self.patience = patience
        queue = DispatchQueue(label: "oracy.postgres.\(number)")
    }

    /// The outcome of a transaction.
    struct Outcome<Value: Sendable>: Sendable {
        var result: Result<Value, StoreError>
        /// Whether the server could not be reached at all.
        var isUnreachable: Bool
    }

    func transaction<Value: Sendable>(
        beginning begin: String, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async -> Outcome<Value> {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.tried(begin, body)) }
        }
    }

    func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.connection = nil
                continuation.resume()
            }
        }
    }

    private func tried<Value>(_ begin: String, _ body: (any SQLConnection) throws -> Value) -> Outcome<Value> {
        var triesLeft = 3
        while true {
            triesLeft -= 1
            let connection: PostgresConnection
            do throws(StoreError) {
                connection = try begun(begin)
            } catch {
                return Outcome(result: .failure(error), isUnreachable: true)
            }
            do {
                let value = try body(connection)
                guard try connection.command("COMMIT") == "COMMIT" else {
                    throw StoreError(.unavailable, "PostgreSQL: the transaction was rolled back")
                }
                return Outcome(result: .success(value), isUnreachable: false)
            } catch {
                let state = connection.lastState
                let isOutdated = Self.outdated.contains(state)
                let isWhole = !connection.isBroken && (try? connection.command("ROLLBACK")) != nil
                if !isWhole || isOutdated { self.connection = nil }
                if triesLeft > 0, isWhole, isOutdated || Self.passing.contains(state) { continue }
                return Outcome(result: .failure(StoreError(thrown: error)), isUnreachable: false)
            }
        }
    }

    /// Conflicts with another transaction (serialization_failure, deadlock_detected). A retry succeeds.
    private static let passing: Set<String> = ["40001", "40P01"]
    /// Statements prepared before a migration (feature_not_supported, invalid_sql_statement_name). A new connection
    /// solves this.
    private static let outdated: Set<String> = ["0A000", "26000"]

    /// Returns a connection with an open transaction. If the kept connection has died, a new one is made.
    private func begun(_ begin: String) throws(StoreError) -> PostgresConnection {
        if let connection, !connection.isBroken {
            do throws(StoreError) {
                try connection.command(begin)
                return connection
            } catch {
                self.connection = nil
            }
        }
        let new = try PostgresConnection(address, patience)
        try new.command(begin)
        connection = new
        return new
    }
}

import Foundation
import Synchronization
import SystemSupport

/// A store in PostgreSQL with a few connections, each on its own queue. If all are in use, callers wait their turn.
final class PostgresDatabase: SQLDatabase {
    /// The maximum number of waiting callers. With more, some would wait for minutes.
    private static let mostWaiting = 2_000

    private typealias Turn = CheckedContinuation<Result<PostgresSeat, StoreError>, Never>

    private struct State {
        var free: [PostgresSeat]
        var waiting: [Turn] = []
        var outage: (error: StoreError, until: ContinuousClock.Instant)?
        var isClosed = false
    }

    private let patience: PostgresPatience
    private let seats: [PostgresSeat]
    private let state: Mutex<State>
    private let listener: PostgresListener

    init(_ url: String, connections: Int, patience: PostgresPatience) throws(StoreError) {
        precondition(connections >= 1)
        let address = try PostgresAddress(url)
        self.patience = patience
        seats = (0..<connections).map { PostgresSeat(address, patience, number: $0) }
        state = Mutex(State(free: seats))
        listener = PostgresListener(address, patience)
    }

    /// The connections are released with this object, but the listener's thread must be told to end.
    deinit { listener.end() }

    func transaction<Value: Sendable>(
        _ access: Access, as identity: Identity, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        let seat = try await seat()
        let outcome = await seat.transaction(beginning: Self.begin(access, identity), body)
        giveBack(seat, outage: outcome.isUnreachable ? outcome.result.failure : nil)
        return try outcome.result.get()
    }

    /// Returns the text that begins a transaction with one round trip. UUIDs need no escaping, but names of groups may
    /// be any text.
    private static func begin(_ access: Access, _ identity: Identity) -> String {
        let mode = access == .read ? "BEGIN READ ONLY" : "BEGIN"
        return switch identity {
        case .user(let user): "\(mode); SET LOCAL oracy.\"user\" = '\(user.name)'"
        case .reader(let reader):
            "BEGIN READ ONLY; SET LOCAL oracy.\"user\" = '\(reader.user.name)'; SET LOCAL oracy.role = '\(reader.right.name)'; "
                + "SET LOCAL oracy.groups = '\(reader.groups.replacing("'", with: "''"))'"
        case .service: "\(mode); SET LOCAL oracy.service = 'on'"
        }
    }

    // MARK: Turns

    private func seat() async throws(StoreError) -> PostgresSeat {
        let result: Result<PostgresSeat, StoreError> = await withCheckedContinuation { turn in
            let now = state.withLock { state -> Result<PostgresSeat, StoreError>? in
                if state.isClosed { return .failure(StoreError(.unavailable, "the store is closed")) }
                if let outage = state.outage {
                    if outage.until > .now { return .failure(outage.error) }
                    state.outage = nil
                }
                // The seat used last is most likely to be connected.
                if let free = state.free.popLast() { return .success(free) }
                if state.waiting.count >= Self.mostWaiting {
                    return .failure(StoreError(.unavailable, "PostgreSQL: too much waits for it"))
                }
                state.waiting.append(turn)
                return nil
            }
            if let now { turn.resume(returning: now) }
        }
        return try result.get()
    }

    private func giveBack(_ seat: PostgresSeat, outage error: StoreError?) {
        let answers = state.withLock { state -> [(Turn, Result<PostgresSeat, StoreError>)] in
            if let error {
                state.outage = (error, .now + .seconds(patience.rest))
                state.free.append(seat)
                defer { state.waiting = [] }
                return state.waiting.map { ($0, .failure(error)) }
            }
            guard !state.waiting.isEmpty else {
                state.free.append(seat)
                return []
            }
            return [(state.waiting.removeFirst(), .success(seat))]
        }
        for (turn, answer) in answers { turn.resume(returning: answer) }
    }

    func listen(_ heard: @escaping @Sendable (News) -> Void) { listener.begin(heard) }

    func close() async {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for turn in waiting { turn.resume(returning: .failure(StoreError(.unavailable, "the store is closed"))) }
        listener.end()
        for seat in seats { await seat.close() }
    }
}

extension Result where Failure == StoreError {
    fileprivate var failure: StoreError? {
        if case .failure(let error) = self { error } else { nil }
    }
}

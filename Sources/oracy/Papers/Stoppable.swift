import Glibc

/// Work that Ctrl-C cancels and does not kill.
enum Stoppable {
    static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await work() }
        let signals = [SIGINT, SIGTERM, SIGHUP].map { InterruptSource($0) { task.cancel() } }
        defer { for signal in signals { signal.cancel() } }
        return try await task.value
    }
}

import Glibc

/// Work that Ctrl-C, or closing the terminal, cancels instead of killing.
enum Stoppable {
    /// Runs the work. It begins only when the signals are watched, so that an early one isn't lost.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let start = AsyncStream.makeStream(of: Never.self)
        let task = Task {
            for await _ in start.stream {}
            return try await work()
        }
        let signals = [SIGINT, SIGTERM, SIGHUP].map { InterruptSource($0) { task.cancel() } }
        defer { for signal in signals { signal.cancel() } }
        start.continuation.finish()
        return try await task.value
    }
}

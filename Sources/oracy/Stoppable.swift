import Glibc

/// Work that Ctrl-C, or the end of the terminal, cancels and does not kill.
enum Stoppable {
    /// Runs the work. The signals are watched before it begins, so that one that comes at once is not lost.
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

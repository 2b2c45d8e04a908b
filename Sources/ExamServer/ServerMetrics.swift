import Synchronization

/// What is counted for `/metrics`; any thread.
public final class ServerMetrics: Sendable {
    private let counts = Mutex<[String: Double]>([:])

    public init() {}

    /// Adds to a counter that only grows: `oracy_lost_blocks_total`.
    public func add(_ name: String, _ amount: Double = 1) {
        counts.withLock { $0[name, default: 0] += amount }
    }

    /// Sets a gauge: `oracy_sessions{phase="speaking"}`.
    public func set(_ name: String, _ value: Double) {
        counts.withLock { $0[name] = value }
    }
}

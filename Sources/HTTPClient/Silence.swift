/// Measures how long nothing has moved in either direction. libcurl's own limit is an average speed, which a pause
/// after much data barely changes.
struct Silence {
    /// The numbers that change when bytes move.
    struct Traces: Equatable {
        /// The bytes of the answer so far.
        var heard: Int
        /// The bytes of the body handed to the kernel so far.
        var sent: Int
        /// The bytes that the kernel has not sent yet. It accepts megabytes at once, and then only this number changes.
        var queued: Int
    }

    private var last: (traces: Traces, instant: ContinuousClock.Instant)?

    mutating func length(at now: ContinuousClock.Instant, _ traces: Traces) -> Duration {
        if let last, last.traces == traces { return now - last.instant }
        last = (traces, now)
        return .zero
    }
}

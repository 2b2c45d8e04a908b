/// How long nothing has moved in either direction. libcurl's own limit is of an average speed, which a pause after much
/// does not touch.
struct Silence {
    /// What changes when bytes move.
    struct Traces: Equatable {
        /// Bytes of the answer so far.
        var heard: Int
        /// Bytes of the body that were given to the kernel so far.
        var sent: Int
        /// Bytes that the kernel has not got rid of yet: it takes megabytes at once, and then only this number moves.
        var queued: Int
    }

    private var last: (traces: Traces, instant: ContinuousClock.Instant)?

    mutating func length(at now: ContinuousClock.Instant, _ traces: Traces) -> Duration {
        if let last, last.traces == traces { return now - last.instant }
        last = (traces, now)
        return .zero
    }
}

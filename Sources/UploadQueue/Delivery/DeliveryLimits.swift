/// The numbers of a delivery; each with where it comes from.
public struct DeliveryLimits: Equatable, Sendable {
    /// Uploads on their way at once (P10): one fills a home's uplink, the second hides what the first waits for.
    public var parallel = 2
    /// Counted attempts until an upload is parked (P6).
    public var attempts = 20
    /// Time since the first counted failure until it is parked (P6). By a clock that nobody sets; a new start of the machine
    /// begins it anew, so that nothing is parked for having been switched off.
    public var longestTrouble = Duration.seconds(72 * 3600)
    /// After the first failures (V9): most trouble is over at once, and somebody waits for the result.
    public var firstDelays: [Duration] = [.milliseconds(200), .milliseconds(500), .seconds(1)]
    /// Then "full jitter" (AWS architecture blog, "Exponential backoff and jitter"): anything up to 3 s (C7), 6 s, 12 s …
    public var delayBase = Duration.seconds(3)
    /// … but never more. Twenty attempts then take fifty minutes on average.
    public var longestDelay = Duration.seconds(600)
    /// Between looks at a backend that cannot be reached (P8): anything up to 1 s, 2 s, 4 s …
    public var probeBase = Duration.seconds(1)
    /// The longest pause between two such looks.
    public var longestProbe = Duration.seconds(60)
    /// The longest that a backend may ask us to wait (queue-design: RFC 9110 sets none).
    public var longestRetryAfter = Duration.seconds(3600)
    /// What retries may cost before the backend counts as down (AWS SDK's standard mode): 500, 5 each, 10 after a timeout.
    public var budget = 500
    /// What a retry costs of the budget.
    public var retryCost = 5
    /// What one costs that ended without an answer in time.
    public var timeoutCost = 10

    /// The limits that the queue has: each can be changed for a test, or for a backend that is known.
    public init() {}

    func delay(afterAttempts attempts: Int, _ jitter: inout Jitter) -> Duration {
        if attempts <= firstDelays.count { return firstDelays[attempts - 1] }
        return jitter.upTo(Self.doubled(delayBase, attempts - firstDelays.count - 1, most: longestDelay))
    }

    func probeDelay(afterFailures failures: Int, _ jitter: inout Jitter) -> Duration {
        jitter.upTo(Self.doubled(probeBase, failures, most: longestProbe))
    }

    private static func doubled(_ base: Duration, _ times: Int, most: Duration) -> Duration {
        min(base * (1 << min(times, 20)), most)
    }
}

/// What may be spent on retries, so that a backend in trouble is not hammered: every retry takes from it, every arrival gives
/// back.
public struct RetryBudget: Equatable, Sendable {
    /// What may still be spent; at most the whole budget, never below 0.
    public private(set) var left: Int
    private let most, retryCost, timeoutCost: Int

    init(_ limits: DeliveryLimits) {
        left = limits.budget
        most = limits.budget
        retryCost = limits.retryCost
        timeoutCost = limits.timeoutCost
    }

    /// - Returns: false where nothing is left: the backend is down.
    mutating func spend(on failure: DeliveryFailure.Kind) -> Bool {
        let cost = failure == .timedOut ? timeoutCost : retryCost
        guard left >= cost else { return false }
        left -= cost
        return true
    }

    /// One for what went well at once; the price of a retry for what needed some.
    mutating func refund(afterAttempts attempts: Int) {
        left = min(most, left + (attempts > 0 ? retryCost : 1))
    }
}

/// Chance from a seed: SplitMix64 (Steele, Lea and Flood 2014), so that a history can be told again.
struct Jitter: Equatable, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// Evenly, to the microsecond.
    mutating func upTo(_ most: Duration) -> Duration {
        let parts = most.components
        let span = UInt64(parts.seconds) * 1_000_000 + UInt64(parts.attoseconds / 1_000_000_000_000)
        return .microseconds(Int64(next() % (span + 1)))
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

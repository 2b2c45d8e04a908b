/// The parameters of delivery, with their sources.
public struct DeliveryLimits: Equatable, Sendable {
    /// The number of uploads sent at a time. One fills the uplink of a home, and a second one fills the pauses of the
    /// first.
    public var parallel = 2
    /// The counted attempts after which an upload is parked.
    public var attempts = 20
    /// The time since the first counted failure after which an upload is parked. The clock can't be set, and a restart
    /// of the machine resets it. A machine that was switched off therefore parks nothing.
    public var longestTrouble = Duration.seconds(72 * 3600)
    /// The delays after the first failures. Most failures pass at once, and the user is waiting for the result.
    public var firstDelays: [Duration] = [.milliseconds(200), .milliseconds(500), .seconds(1)]
    /// After that "full jitter" (AWS architecture blog, "Exponential backoff and jitter"): a random delay up to 3 s, 6
    /// s, 12 s …
    public var delayBase = Duration.seconds(3)
    /// … but never more than this. Twenty attempts then take fifty minutes on average.
    public var longestDelay = Duration.seconds(600)
    /// The base for the pauses between tests of an unreachable backend: a random time up to 1 s, 2 s, 4 s …
    public var probeBase = Duration.seconds(1)
    /// The longest pause between two such tests.
    public var longestProbe = Duration.seconds(60)
    /// The longest pause that a backend may ask for. RFC 9110 sets no limit.
    public var longestRetryAfter = Duration.seconds(3600)
    /// The budget for retries. When it is spent, the backend counts as unavailable. The numbers are those of the
    /// standard mode of AWS's SDK: 500, of which a retry costs 5, or 10 after a timeout.
    public var budget = 500
    /// The cost of a retry.
    public var retryCost = 5
    /// The cost of a retry after a timeout.
    public var timeoutCost = 10

    /// The default limits. Each can be changed for a test, or for a known backend.
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

/// A budget for retries that protects a failing backend: every retry takes from it, and every arrival gives back.
public struct RetryBudget: Equatable, Sendable {
    /// The amount left, from 0 to the whole budget.
    public private(set) var left: Int
    private let most, retryCost, timeoutCost: Int

    init(_ limits: DeliveryLimits) {
        left = limits.budget
        most = limits.budget
        retryCost = limits.retryCost
        timeoutCost = limits.timeoutCost
    }

    /// - Returns: Whether the budget sufficed; if not, the backend counts as unavailable.
    mutating func spend(on failure: DeliveryFailure.Kind) -> Bool {
        let cost = failure == .timedOut ? timeoutCost : retryCost
        guard left >= cost else { return false }
        left -= cost
        return true
    }

    /// Gives back 1 for an upload that arrived at once, and the cost of a retry for one that needed some.
    mutating func refund(afterAttempts attempts: Int) {
        left = min(most, left + (attempts > 0 ? retryCost : 1))
    }
}

/// A seeded random generator, SplitMix64 (Steele, Lea and Flood 2014), so that runs can be repeated.
struct Jitter: Equatable, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// Returns a uniformly distributed duration, to the microsecond.
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

public import UploadQueue

/// Asks a backend until a session is evaluated, at growing intervals and for a limited time.
public struct ResultPoll: Equatable, Sendable {
    /// The status of a session.
    public enum Status: Equatable, Sendable {
        case inProgress, completed, processing
        case evaluated(SessionResults)
        /// The session is over, and the backend has no scorer. Nothing more will come.
        case unscored(SessionResults)
        case failed(message: String)
        /// A status of a newer backend.
        case other(String)

        /// - Parameters:
        ///   - word: A backend's value of `test_sessions.status`.
        ///   - results: The results that came with it. `evaluated` without a single score becomes `unscored`.
        init(word: String, results: SessionResults) {
            switch word {
            case "in_progress": self = .inProgress
            case "completed": self = .completed
            case "processing": self = .processing
            case "evaluated": self = results.isScored ? .evaluated(results) : .unscored(results)
            case "failed": self = .failed(message: "the backend could not evaluate the session")
            default: self = .other(word)
            }
        }
    }

    public enum Outcome: Equatable, Sendable {
        case evaluated(SessionResults)
        case unscored(SessionResults)
        case failed(message: String)
        /// It took too long, so only this machine's results are available. With the last status; nil for none.
        case timedOut(last: Status?)
    }

    /// The interval between the first two requests. If the backend delayed its answer longer, the next request follows
    /// at once.
    public var firstInterval = Duration.seconds(2)
    /// Each interval is this many times the one before …
    public var growth = 1.6
    /// … up to this limit. Up to half as much is added at random, so that the learners of a class don't ask in step.
    public var longestInterval = Duration.seconds(10)
    /// The maximum number of requests, failed ones included.
    public var attempts = 30
    /// The limit from the first request to the last, by a clock that can't be set.
    public var deadline = Duration.seconds(300)

    public init() {}

    /// - Parameters:
    ///   - clock: The clock to wait with. A test's clock may leap.
    ///   - chance: Returns 0 to 1, for each interval.
    ///   - ask: Makes one request. After a failure that may pass by itself (`unreachable`, `transient`, `timedOut`) it
    ///     is called again, but not before the backend allows it.
    /// - Throws: Any other error of `ask`; `cancelled`, after which no request is made.
    public func outcome<Time: Clock>(
        clock: Time = ContinuousClock(),
        chance: @Sendable () -> Double = { .random(in: 0...1) },
        ask: @Sendable () async throws(DeliveryFailure) -> Status
    ) async throws(DeliveryFailure) -> Outcome where Time.Duration == Duration {
        let end = clock.now.advanced(by: deadline)
        var interval = firstInterval
        var last: Status?
        for attempt in 1...max(attempts, 1) {
            if Task.isCancelled { throw DeliveryFailure(.cancelled) }
            var asked = Duration.zero
            let begun = clock.now
            do throws(DeliveryFailure) {
                let status = try await ask()
                // A caller that was cancelled meanwhile gets no result.
                if Task.isCancelled { throw DeliveryFailure(.cancelled) }
                switch status {
                case .evaluated(let results): return .evaluated(results)
                case .unscored(let results): return .unscored(results)
                case .failed(let message): return .failed(message: message)
                case .inProgress, .completed, .processing, .other: last = status
                }
            } catch {
                guard [.unreachable, .transient, .timedOut].contains(error.kind) else { throw error }
                asked = error.retryAfter ?? .zero
            }
            let taken = begun.duration(to: clock.now)
            let wait = max(interval * (1 + chance() / 2) - taken, asked)
            guard attempt < attempts, clock.now.advanced(by: wait) < end else { break }
            do {
                try await clock.sleep(until: clock.now.advanced(by: wait), tolerance: nil)
            } catch {
                throw DeliveryFailure(.cancelled)
            }
            interval = min(interval * growth, longestInterval)
        }
        return .timedOut(last: last)
    }
}

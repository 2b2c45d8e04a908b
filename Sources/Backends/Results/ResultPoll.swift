public import UploadQueue

/// Asks a backend until a session is evaluated, at growing intervals and not for ever (C10).
public struct ResultPoll: Equatable, Sendable {
    /// What has become of a session (C13).
    public enum Status: Equatable, Sendable {
        case inProgress, completed, processing
        case evaluated(SessionResults)
        /// Over, and nobody scores anything there: nothing more will come.
        case unscored(SessionResults)
        case failed(message: String)
        /// A word of a newer backend's.
        case other(String)

        /// - Parameters:
        ///   - word: a backend's, one of `test_sessions.status` (C13).
        ///   - results: what it has beside it; `evaluated` without a single score is `unscored`.
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
        /// It took too long; the results of this machine are what there is. With what was heard last, nil for nothing.
        case timedOut(last: Status?)
    }

    /// From the first question to the second; of a question that the backend held longer, the next one follows at once.
    public var firstInterval = Duration.seconds(2)
    /// Each interval is so many times the one before …
    public var growth = 1.6
    /// … until this; up to half as much again is added by chance, so that a class does not ask in step (C10: 10 s).
    public var longestInterval = Duration.seconds(10)
    /// Of the questions asked, those without an answer too (C10: 30).
    public var attempts = 30
    /// From the first question to the last, by a clock that nobody sets (C10: 5 min).
    public var deadline = Duration.seconds(300)

    public init() {}

    /// - Parameters:
    ///   - clock: what waits; a test's own may leap.
    ///   - chance: 0 to 1, for each interval.
    ///   - ask: one question. What may pass by itself (`unreachable`, `transient`, `timedOut`) is asked again, and not before
    ///     the backend wants it.
    /// - Throws: what `ask` throws otherwise; `cancelled`, and nothing is asked after that.
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
                // Whoever went away meanwhile hears nothing of it (V11).
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

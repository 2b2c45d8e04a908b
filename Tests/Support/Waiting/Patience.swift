import Foundation

/// The time that a test waits for a condition before it fails.
///
/// It measures nothing: a condition usually becomes true within milliseconds. The limit only ends a test that would
/// hang, so it is far above the needs of a busy machine. `ORACY_PATIENCE=3` makes it three times as long, for
/// sanitizers and slow machines. Tests read the variable only here; `patience.py` beside this file does so for Python
/// scripts.
public enum Patience {
    /// The factor by which waits are longer than usual: `ORACY_PATIENCE`, or 1 if that is missing or not a positive
    /// number.
    public static let factor: Double = {
        let said = ProcessInfo.processInfo.environment["ORACY_PATIENCE"].flatMap { Double($0) } ?? 1
        return said.isFinite && said > 0 ? said : 1
    }()

    /// The limit in seconds, for C's timeouts and the arguments of programs.
    public static let seconds = 180 * factor

    /// The limit for one wait.
    public static let limit = Duration.seconds(seconds)

    /// The limit for a whole test in minutes. A test waits several times.
    public static let minutesOfATest = max(1, Int((20 * factor).rounded(.up)))

    /// Asks until there is an answer, and blocks the thread meanwhile.
    ///
    /// - Parameter deadline: The time to stop; by default after `limit`.
    /// - Returns: The answer; nil if it did not come before the deadline.
    public static func poll<Answer>(
        until deadline: ContinuousClock.Instant = .now + limit, _ ask: () throws -> Answer?
    ) rethrows -> Answer? {
        var pauses = Pauses()
        while true {
            if let answer = try ask() { return answer }
            if ContinuousClock.now >= deadline { return nil }
            Thread.sleep(forTimeInterval: pauses.next() / .seconds(1))
        }
    }

    /// Asks until a condition is true or the task is cancelled.
    ///
    /// For callers that can say more about a failure than `eventually` of TestSupport.
    ///
    /// - Returns: Whether the condition became true within the limit.
    public static func wait(_ isSo: () async throws -> Bool) async rethrows -> Bool {
        let deadline = ContinuousClock.now + limit
        var pauses = Pauses()
        while true {
            if try await isSo() { return true }
            if ContinuousClock.now >= deadline || Task.isCancelled { return false }
            try? await Task.sleep(for: pauses.next())
        }
    }

    /// The pauses between two looks: 2 ms at first, since most conditions become true at once, and at most 50 ms, so
    /// that a long wait costs little.
    public struct Pauses {
        private var last = Duration.milliseconds(1)

        public init() {}

        public mutating func next() -> Duration {
            last = min(last * 2, .milliseconds(50))
            return last
        }
    }
}

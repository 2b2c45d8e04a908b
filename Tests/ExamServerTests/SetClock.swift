import Foundation
import Synchronization

/// The clock of a server in a test. It begins at a stated moment, so that no test depends on the hour or the weekday at
/// which it is run. Tokens still expire in real time, because `RunningServer.token` makes them by the real clock.
final class SetClock: Sendable {
    /// The default clock of servers in tests, which share it. It runs by itself.
    static let morning = SetClock(runs: true)

    private let passed = Mutex(0.0)
    private let begun: Date
    /// The instant at which the clock was made, if it runs by itself.
    private let running: ContinuousClock.Instant?

    /// - Parameters:
    ///   - moment: The moment in UTC at which the clock begins. The default is a Monday morning.
    ///   - runs: Whether the clock runs by itself. Otherwise only `pass` moves it.
    init(at moment: String = "2026-11-23T09:00:00Z", runs: Bool = false) {
        guard let begun = try? Date(moment, strategy: .iso8601) else {
            preconditionFailure("\(moment) is not a date in ISO 8601")
        }
        self.begun = begun
        running = runs ? .now : nil
    }

    var now: @Sendable () -> Date { { self.moment } }

    private var moment: Date {
        let run = running.map { (ContinuousClock.now - $0) / .seconds(1) } ?? 0
        return begun + passed.withLock { $0 } + run
    }

    func pass(seconds: Double) { passed.withLock { $0 += seconds } }
}

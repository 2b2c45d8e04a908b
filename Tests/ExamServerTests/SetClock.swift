import Foundation
import Synchronization

/// A server's clock in a test. It begins at a stated moment, so that no test depends on the hour or the weekday at
/// which it is run. Tokens still expire by the real time, with which `RunningServer.token` makes them.
final class SetClock: Sendable {
    /// The clock of servers whose test names no other. It runs by itself, and is shared by all of them.
    static let morning = SetClock(runs: true)

    private let passed = Mutex(0.0)
    private let begun: Date
    /// The instant at which it was made, if it runs by itself.
    private let running: ContinuousClock.Instant?

    /// - Parameters:
    ///   - moment: The moment in UTC at which it begins. A Monday morning unless the test is about another one.
    ///   - runs: Whether it runs by itself. Otherwise only `pass` moves it.
    init(at moment: String = "2026-11-23T09:00:00Z", runs: Bool = false) {
        guard let begun = try? Date(moment, strategy: .iso8601) else { preconditionFailure("\(moment) is no moment") }
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

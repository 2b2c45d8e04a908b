import AudioFiles
import ExamCore

/// Detects lost sound of a microphone by counting its samples against the clock.
///
/// A sound server doesn't report an overrun: samples that found no room are simply missing (measured). So this watches
/// each arrival's lag, the time on the clock minus the time of the samples. Arrivals are late at random, but the least
/// lag in a second is stable within a few milliseconds. If it rises suddenly, sound was lost. If it changes slowly, the
/// cause is the device's crystal.
struct FrameClock {
    /// A rise of the least lag from one second to the next that can be neither drift (a bad crystal makes 1 ms) nor
    /// chance: more than one fragment of 20 ms.
    static let leastLoss = Duration.milliseconds(30)
    /// If two arrivals are this far apart, queued sound comes in a burst, and lags are meaningless until that is over.
    private static let hiccup = Duration.milliseconds(100)
    private static let window = Duration.seconds(1)

    private var samples = 0
    private var last: Duration?
    private var windowBegan: Duration?
    private var least: Duration?
    private var usual: Duration?

    /// Counts an arrival.
    ///
    /// - Parameter now: The time on a clock that never stops or jumps.
    /// - Returns: The lost time, if a loss has just become certain: about a second after it happened.
    mutating func arrived(_ count: Int, at now: Duration) -> Duration? {
        samples += count
        let lag = now - AudioFormat.duration(ofSamples: samples)
        if let last, now - last > Self.hiccup { windowBegan = nil }
        last = now
        guard let began = windowBegan else {
            windowBegan = now
            least = lag
            return nil
        }
        least = min(least ?? lag, lag)
        guard now - began >= Self.window, let lowest = least else { return nil }
        windowBegan = nil
        defer { usual = lowest }
        guard let usual, lowest - usual >= Self.leastLoss else { return nil }
        return .milliseconds((lowest - usual).milliseconds)
    }
}

import AudioFiles
import ExamCore

/// Notices what a microphone lost, by counting its samples against the clock.
///
/// A sound server does not report an overrun: the samples that found no room are simply not there (measured). So each
/// arrival's lag, the time on the clock less the time that the samples make, is watched: arrivals come late by chance, but the
/// least lag of a second is steady within a few milliseconds, and what it rises by at once was lost. What it changes by
/// slowly is the device's crystal.
struct FrameClock {
    /// A rise of the least lag from one second to the next that is no drift (a bad crystal makes 1 ms) and no chance: more
    /// than one fragment of 20 ms.
    static let leastLoss = Duration.milliseconds(30)
    /// Two arrivals so far apart: what is queued up comes in a burst now, and lags say nothing until it is through.
    private static let hiccup = Duration.milliseconds(100)
    private static let window = Duration.seconds(1)

    private var samples = 0
    private var last: Duration?
    private var windowBegan: Duration?
    private var least: Duration?
    private var usual: Duration?

    /// Counts an arrival.
    ///
    /// - Parameter now: on any clock that never stops or steps.
    /// - Returns: how much was lost, where that just became clear: about a second after it happened.
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

/// Limits the rate of sound: as fast as it is spoken, and at most two seconds ahead.
///
/// Delayed sound arrives later, all at once, so unused time is saved up. The most is the length of sound that a client
/// keeps while its line is lost, plus ten seconds for a slow line before and after. More is useless, because after a
/// longer pause the exam is suspended anyway.
struct Pace {
    static let mostAhead = Duration.seconds(2)
    static let mostBehind = Duration.seconds(70)

    /// The excess of sound over the time passed.
    private var ahead = Duration.zero
    private var countedAt: Duration?

    /// Counts sound.
    ///
    /// - Returns: the time during which nothing more should be read.
    mutating func count(_ sound: Duration, at now: Duration) -> Duration {
        if let countedAt { ahead = max(ahead - (now - countedAt), .zero - Self.mostBehind) }
        countedAt = now
        ahead += sound
        return max(ahead - Self.mostAhead, .zero)
    }
}

import AudioFiles

/// How fast sound may come: as fast as it is spoken, two seconds ahead at most.
///
/// Sound that was held up for a while comes at once when it comes; so what was not used stays to be used: as much as a client
/// keeps while its line is lost, and ten seconds for a line that is slow before and after. A longer pause is no reason to hurry: by then the exam
/// stands still.
struct Pace {
    static let mostAhead = Duration.seconds(2)
    static let mostBehind = Duration.seconds(70)

    /// By how much more came than time passed.
    private var ahead = Duration.zero
    private var countedAt: Duration?

    /// Counts what came.
    ///
    /// - Returns: how long to read nothing more.
    mutating func count(_ sound: Duration, at now: Duration) -> Duration {
        if let countedAt { ahead = max(ahead - (now - countedAt), .zero - Self.mostBehind) }
        countedAt = now
        ahead += sound
        return max(ahead - Self.mostAhead, .zero)
    }
}

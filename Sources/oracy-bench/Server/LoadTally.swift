/// The combined observations of all clients of the load.
final class LoadTally {
    /// Whether the measured period is running.
    var isMeasuring = false

    private(set) var sentBlocks = 0
    private(set) var measuredBlocks = 0
    private(set) var examsOver: [String: Int] = [:]
    private(set) var troubles: [String: Int] = [:]
    /// For each event, the seconds from sending the block that caused it to reading the event.
    private(set) var ways: [Double] = []
    /// For each message, the seconds by which its client sent it too late.
    private(set) var lateness: [Double] = []
    private(set) var endedAnswers = 0
    /// For each answer, the seconds from the event that ended it to the message that it is stored.
    private(set) var storing: [Double] = []
    /// The bytes on the wire: frames with their headers, without TCP.
    private(set) var measuredBytes = 0
    var pongs = 0

    func sent(_ blocks: Int, bytes: Int) {
        sentBlocks += blocks
        guard isMeasuring else { return }
        measuredBlocks += blocks
        measuredBytes += bytes
    }

    func over(_ outcome: String) { examsOver[outcome, default: 0] += 1 }
    func trouble(_ name: String) { troubles[name, default: 0] += 1 }
    func event(after way: Double) { if isMeasuring { ways.append(way) } }
    func answerEnded() { endedAnswers += 1 }
    func stored(after seconds: Double) { storing.append(seconds) }
    func late(by seconds: Double) { if isMeasuring { lateness.append(seconds) } }
}

/// Returns a quantile: the smallest figure such that at least this share of the figures is not larger.
func quantile(_ share: Double, of figures: [Double]) -> Double {
    guard !figures.isEmpty else { return .nan }
    let sorted = figures.sorted()
    return sorted[min(sorted.count - 1, Int((Double(sorted.count) * share).rounded(.up)) - 1)]
}

/// What the load's clients did and saw, all of them together.
final class LoadTally {
    /// Whether the time that is measured is running.
    var isMeasuring = false

    private(set) var sentBlocks = 0
    private(set) var measuredBlocks = 0
    private(set) var examsOver: [String: Int] = [:]
    private(set) var troubles: [String: Int] = [:]
    /// From sending the message with the block that decided to having read the event, seconds.
    private(set) var ways: [Double] = []
    /// How late messages were sent, seconds: the client's own fault.
    private(set) var lateness: [Double] = []
    private(set) var endedAnswers = 0
    /// From the end of an answer, as its client learned of it, until it is where results are made, seconds.
    private(set) var storing: [Double] = []
    /// On the wire, frames with their headers; no TCP.
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

/// A figure that so many of all do not exceed.
func quantile(_ share: Double, of figures: [Double]) -> Double {
    guard !figures.isEmpty else { return .nan }
    let sorted = figures.sorted()
    return sorted[min(sorted.count - 1, Int((Double(sorted.count) * share).rounded(.up)) - 1)]
}

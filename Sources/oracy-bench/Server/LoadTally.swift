/// The combined observations of all clients of the load.
final class LoadTally {
    /// Whether the measured period is running.
    var isMeasuring = false

    private(set) var sentBlocks = 0
    private(set) var measuredBlocks = 0
    private(set) var examsOver: [String: Int] = [:]
    private(set) var troubles: [String: Int] = [:]
    /// The times from sending the deciding block's message to reading the event, in seconds.
    private(set) var ways: [Double] = []
    /// The delays in sending messages, in seconds, caused by the client itself.
    private(set) var lateness: [Double] = []
    private(set) var endedAnswers = 0
    /// The times from the end of an answer, as its client learned of it, until it is ready for results, in seconds.
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

/// Returns the figure that a given share of all figures does not exceed.
func quantile(_ share: Double, of figures: [Double]) -> Double {
    guard !figures.isEmpty else { return .nan }
    let sorted = figures.sorted()
    return sorted[min(sorted.count - 1, Int((Double(sorted.count) * share).rounded(.up)) - 1)]
}

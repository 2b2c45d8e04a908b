import ExamNode

/// Limits messages other than sound. Key presses, ended prompts and pings are a few a second.
struct MessageRate {
    static let perSecond = 50.0
    static let atOnce = 500.0

    private var credit = MessageRate.atOnce
    private var countedAt: Duration?

    /// Counts a message.
    ///
    /// - Throws: `tooMuch`.
    mutating func count(at now: Duration) throws(CloseReason) {
        if let countedAt { credit = min(credit + (now - countedAt) / .seconds(1) * Self.perSecond, Self.atOnce) }
        countedAt = now
        credit -= 1
        if credit < 0 { throw .tooMuch("The client sends too many messages.", retryAfter: 10) }
    }
}

import UploadQueue

/// The uploads beside an exam, as its screen shows them.
struct UploadsShown: Equatable, Sendable {
    /// The uploads that have arrived since sending began, those of earlier exams included.
    var arrived: Int
    /// The uploads that are being sent or wait for their turn.
    var open: Int
    /// The uploads that wait for the user.
    var parked: Int
    /// Whether the backend is believed to be available.
    var isAvailable: Bool

    var words: String {
        var parts: [String] = []
        if arrived > 0 { parts.append("\(arrived) arrived") }
        if open > 0 { parts.append(isAvailable ? "\(open) on the way" : "\(open) will be sent later") }
        if parked > 0 { parts.append("\(parked) for you to look at: oracy uploads") }
        return parts.isEmpty ? "none yet" : parts.joined(separator: ", ")
    }
}

extension UploadsShown {
    init(_ progress: SendingProgress) {
        self.init(
            arrived: progress.delivered, open: progress.open, parked: progress.parked,
            isAvailable: progress.breaker == .closed)
    }
}

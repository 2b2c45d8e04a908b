extension MarkSheet {
    /// The longest name of a marker and the longest comment, in characters.
    public static let longestName = 60
    public static let longestComment = 1000

    /// Returns the fault in the sheet in one sentence without a full stop. Nil if the sheet is valid.
    ///
    /// - Parameter lengths: the lengths of the exam's recordings in seconds, by their answers' names.
    public func mistake(lengths: [String: Double]) -> String? {
        if !(1...Self.longestName).contains(marker.count) {
            return "marker's name: use 1 to \(Self.longestName) characters"
        }
        let marks = Criterion.allCases.compactMap { criterion in bands[criterion].map { (criterion.rawValue, $0) } }
        for (name, mark) in marks + (topicRelevance.map { [("topic", $0)] } ?? []) where !HalfBand.isOne(mark) {
            return "\(name): \(mark) is not a half band; marks are 0, 0.5, 1 … 9"
        }
        return comments.lazy.compactMap { $0.mistake(lengths: lengths) }.first
    }
}

extension MarkComment {
    /// Returns the fault in the comment, like `MarkSheet.mistake`.
    public func mistake(lengths: [String: Double]) -> String? {
        guard let length = lengths[answer] else { return "comment: there is no answer \(answer)" }
        guard at >= 0, at <= length else {
            return "comment: \(answer) is \(Self.tenths(length)) s long, so there is nothing at \(Self.tenths(at)) s"
        }
        guard (1...MarkSheet.longestComment).contains(text.count) else {
            return "comment on \(answer): use 1 to \(MarkSheet.longestComment) characters"
        }
        return nil
    }

    private static func tenths(_ seconds: Double) -> Double { (seconds * 10).rounded() / 10 }
}

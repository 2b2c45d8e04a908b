import ExamKit

extension HeardFile {
    /// An object for Praat (its manual, "TextGrid file formats", the long text format) with one tier, "speech".
    var textGrid: String {
        let tiers = [TextGridTier(name: "speech", text: "speech", spans: segments.map { ($0.start, $0.end) })]
        var lines = [
            "File type = \"ooTextFile\"",
            "Object class = \"TextGrid\"",
            "",
            "xmin = 0",
            "xmax = \(duration.text)",
            "tiers? <exists>",
            "size = \(tiers.count)",
            "item []:",
        ]
        for (number, tier) in tiers.enumerated() {
            lines.append("    item [\(number + 1)]:")
            lines += tier.lines(until: duration).map { "        " + $0 }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Spans with a text, in order; what lies between them is an interval too, without text: Praat wants no gaps.
private struct TextGridTier {
    var name: String
    var text: String
    var spans: [(start: Duration, end: Duration)]

    func lines(until end: Duration) -> [String] {
        let intervals = intervals(until: end)
        let head = [
            "class = \"IntervalTier\"",
            "name = \"\(name)\"",
            "xmin = 0",
            "xmax = \(end.text)",
            "intervals: size = \(intervals.count)",
        ]
        return head
            + intervals.enumerated().flatMap { index, interval in
                [
                    "intervals [\(index + 1)]:",
                    "    xmin = \(interval.start == .zero ? "0" : interval.start.text)",
                    "    xmax = \(interval.end.text)",
                    "    text = \"\(interval.text)\"",
                ]
            }
    }

    private func intervals(until end: Duration) -> [(start: Duration, end: Duration, text: String)] {
        var intervals: [(start: Duration, end: Duration, text: String)] = []
        var covered = Duration.zero
        for span in spans {
            if span.start > covered { intervals.append((covered, span.start, "")) }
            intervals.append((span.start, span.end, text))
            covered = span.end
        }
        if covered < end { intervals.append((covered, end, "")) }
        return intervals
    }
}

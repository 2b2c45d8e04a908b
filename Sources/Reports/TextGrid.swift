/// A TextGrid object for Praat (its manual, "TextGrid file formats", the long text format).
public struct TextGrid: Sendable {
    /// Seconds with three decimals.
    public var duration: String
    public var tiers: [Tier]

    public enum Tier: Sendable {
        /// Intervals in order and without overlap. The gaps between them become intervals without text, because Praat
        /// does not allow gaps.
        case intervals(name: String, [(start: String, end: String, text: String)])
        case points(name: String, [(at: String, text: String)])
    }

    /// Creates a grid.
    ///
    /// - Parameter duration: seconds with three decimals, like all times here.
    public init(duration: String, tiers: [Tier]) {
        self.duration = duration
        self.tiers = tiers
    }

    public var text: String {
        var lines = [
            "File type = \"ooTextFile\"",
            "Object class = \"TextGrid\"",
            "",
            "xmin = 0",
            "xmax = \(duration)",
            "tiers? <exists>",
            "size = \(tiers.count)",
            "item []:",
        ]
        for (number, tier) in tiers.enumerated() {
            lines.append("    item [\(number + 1)]:")
            lines += self.lines(of: tier).map { "        " + $0 }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func lines(of tier: Tier) -> [String] {
        switch tier {
        case .intervals(let name, let sounds):
            let intervals = withoutGaps(sounds)
            return head("IntervalTier", name) + ["intervals: size = \(intervals.count)"]
                + intervals.enumerated().flatMap { index, interval in
                    [
                        "intervals [\(index + 1)]:",
                        "    xmin = \(interval.start)",
                        "    xmax = \(interval.end)",
                        "    text = \"\(interval.text.praat)\"",
                    ]
                }
        case .points(let name, let points):
            return head("TextTier", name) + ["points: size = \(points.count)"]
                + points.enumerated().flatMap { index, point in
                    [
                        "points [\(index + 1)]:", "    number = \(point.at)",
                        "    mark = \"\(point.text.praat)\"",
                    ]
                }
        }
    }

    private func withoutGaps(
        _ sounds: [(start: String, end: String, text: String)]
    ) -> [(start: String, end: String, text: String)] {
        var intervals: [(start: String, end: String, text: String)] = []
        var covered = "0"
        for sound in sounds {
            let start = sound.start == "0.000" ? "0" : sound.start
            if start != covered { intervals.append((covered, start, "")) }
            intervals.append((start, sound.end, sound.text))
            covered = sound.end
        }
        if covered != duration && duration != "0.000" { intervals.append((covered, duration, "")) }
        return intervals
    }

    private func head(_ kind: String, _ name: String) -> [String] {
        ["class = \"\(kind)\"", "name = \"\(name)\"", "xmin = 0", "xmax = \(duration)"]
    }
}

extension String {
    /// The text for use between Praat's quotation marks.
    fileprivate var praat: String {
        split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            .split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

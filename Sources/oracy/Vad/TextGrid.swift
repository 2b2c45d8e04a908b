import ExamKit

extension HeardFile {
    /// An object for Praat (its manual, "TextGrid file formats", the long text format): a tier "speech", and one of points, "end of
    /// answer", where these were asked for.
    var textGrid: String {
        var tiers = [intervalTier("speech", of: segments)]
        if let ends { tiers.append(pointTier("end of answer", at: ends)) }
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
            lines += tier.map { "        " + $0 }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What lies between the sounds is an interval too, without text: Praat wants no gaps.
    private func intervalTier(_ name: String, of sounds: [Sound]) -> [String] {
        var intervals: [(start: Duration, end: Duration, text: String)] = []
        var covered = Duration.zero
        for sound in sounds {
            if sound.start > covered { intervals.append((covered, sound.start, "")) }
            intervals.append((sound.start, sound.end, name))
            covered = sound.end
        }
        if covered < duration { intervals.append((covered, duration, "")) }
        return head("IntervalTier", name) + ["intervals: size = \(intervals.count)"]
            + intervals.enumerated().flatMap { index, interval in
                [
                    "intervals [\(index + 1)]:",
                    "    xmin = \(interval.start == .zero ? "0" : interval.start.text)",
                    "    xmax = \(interval.end.text)",
                    "    text = \"\(interval.text)\"",
                ]
            }
    }

    private func pointTier(_ name: String, at ends: [AnswerEnd]) -> [String] {
        head("TextTier", name) + ["points: size = \(ends.count)"]
            + ends.enumerated().flatMap { index, end in
                ["points [\(index + 1)]:", "    number = \(end.at.text)", "    mark = \"\(end.words)\""]
            }
    }

    private func head(_ kind: String, _ name: String) -> [String] {
        ["class = \"\(kind)\"", "name = \"\(name)\"", "xmin = 0", "xmax = \(duration.text)"]
    }
}

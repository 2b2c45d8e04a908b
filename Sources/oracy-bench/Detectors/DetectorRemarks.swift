import DetectorScores

/// The explanations in the report: the meaning of each row, and the method.
extension DetectorReport {
    /// Rows with the same description share a line.
    var rowsInWords: [String] {
        var (titles, abouts): ([String: [String]], [String]) = ([:], [])
        for condition in rows.map(\.condition) {
            if titles[condition.about] == nil { abouts.append(condition.about) }
            titles[condition.about, default: []].append("*\(condition.title)*")
        }
        return abouts.map { "- \(titles[$0]!.joined(separator: ", ")): \($0)." }
    }

    var remarks: [String] {
        let rules = DetectorComparison.rules
        return [
            "**Bold**: better than Oracy's. F1 is of frames of 10 ms. An end is declared after "
                + "\(decimal(rules.trailing, 1)) s without a voice of at least \(decimal(rules.minBurst, 1)) s, by one and the "
                + "same rule for all; a detector that always hears a voice is never premature, and misses every end. A fourth "
                + "figure says how much later 95 of 100 ends come at most.",
            "",
            "*Declared* is what an exam would declare, when it would: the rule knows afterwards that a voice had begun, an exam "
                + "knows it when its detector has decided.",
            "",
            "In brackets: 95 % intervals, by speaker. As many speakers as there are are drawn from them, 2,000 times, each with all of "
                + "their recordings; a figure lies in the interval in 95 of 100 draws (percentile bootstrap). If no speaker shows a "
                + "fault the interval is [0.0, 0.0]: among n speakers a fault that three in n people have may be missing.",
            "",
            "WebRTC's modes 2 and 3: frames of 10 ms. auditok: its defaults (−40 dBFS). TEN: hops of 256 samples, threshold 0.5. "
                + "Silero: the defaults of get_speech_timestamps; each chunk: its 32 ms as they are, threshold 0.5.",
        ]
    }
}

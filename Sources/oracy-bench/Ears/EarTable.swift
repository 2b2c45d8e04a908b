import EarScores

/// What is compared of two detectors under one condition, in the places that are shown: so what looks level is level.
struct EarFigures {
    /// Thousandths.
    var f1: Int
    /// Percent; nil where no turn is followed by enough silence.
    var ends: (missed: Int, premature: Int)?

    init(_ score: EarScore) {
        f1 = Int((score.f1 * 1_000).rounded())
        if score.eligibleTurns > 0 {
            ends = (Int((score.missed * 100).rounded()), Int((score.premature * 100).rounded()))
        }
    }

    /// In the order of the table, the more the better.
    var merits: [(merit: Int, text: String)] {
        let heard = [(f1, Self.part(f1))]
        guard let ends else { return heard }
        return heard + [(-ends.missed, "\(ends.missed) %"), (-ends.premature, "\(ends.premature) %")]
    }

    private static func part(_ thousandths: Int) -> String {
        thousandths >= 1_000 ? "1.000" : "." + String(1_000 + thousandths).dropFirst()
    }
}

/// The report of `oracy-bench ears`: Markdown.
struct EarTable {
    var conditions: [LabelledSound.Condition]
    /// By condition.
    var oracy: [EarScore]
    /// The same with the ends that Oracy itself declared, where it does.
    var declared: [EarScore]?
    /// By condition, or why there are none.
    var peers: [(title: String, scores: Result<[EarScore], Peer.Absence>)]
    var versions: [String]
    var rules: EarScore.Rules

    var text: String {
        (beside + [""] + ahead + [""] + alone + [""] + remarks).joined(separator: "\n") + "\n"
    }

    /// Oracy beside its peers; bold is what is better than Oracy's.
    private var beside: [String] {
        let heads = ["F1 / ends missed / premature", "Oracy"] + peers.map(\.title)
        var lines = [row(heads), row(heads.map { _ in "---" })]
        for (index, condition) in conditions.enumerated() {
            let ours = EarFigures(oracy[index])
            let turns = oracy[index].eligibleTurns
            let size = "\(condition.recordings.count) files" + (turns > 0 ? ", \(turns) turns" : "")
            let theirs = peers.map { peer -> String in
                guard let score = try? peer.scores.get()[index] else { return "–" }
                return zip(EarFigures(score).merits, ours.merits).map { their, our in
                    their.merit > our.merit ? "**\(their.text)**" : their.text
                }.joined(separator: " / ")
            }
            lines.append(
                row(["\(condition.title) (\(size))", ours.merits.map(\.text).joined(separator: " / ")] + theirs))
        }
        return lines
    }

    /// A sentence a peer: how often Oracy is ahead of it, or why it is not there.
    private var ahead: [String] {
        peers.map { peer in
            switch peer.scores {
            case .failure(let absence): return "- \(peer.title) is missing: \(absence.reason)."
            case .success(let scores):
                let leads = zip(oracy, scores).flatMap { ours, theirs in
                    zip(EarFigures(ours).merits, EarFigures(theirs).merits).map { $0.merit - $1.merit }
                }
                return "- Oracy beside \(peer.title): ahead in \(leads.count { $0 > 0 }) of \(leads.count) figures, "
                    + "level in \(leads.count { $0 == 0 }), behind in \(leads.count { $0 < 0 })."
            }
        }
    }

    private var alone: [String] {
        let heads = [
            "Oracy alone", "P", "R", "false starts", "ends missed", "premature", "ms beyond the silence: median", "p95",
            "late", "early", "onset, ms",
        ]
        var lines = [row(heads), row(heads.map { _ in "---" })]
        for (index, condition) in conditions.enumerated() {
            lines.append(figures(of: oracy[index], condition.title))
            if let declared { lines.append(figures(of: declared[index], condition.title + ", its own ends")) }
        }
        return lines
    }

    private func figures(of score: EarScore, _ title: String) -> String {
        func percent(_ part: Double) -> String { decimal(part * 100, 0) + " %" }
        func milliseconds(_ seconds: Double?, beyond: Double = 0) -> String {
            seconds.map { decimal(($0 - beyond) * 1_000, 0) } ?? "–"
        }
        let ends =
            score.eligibleTurns == 0
            ? Array(repeating: "–", count: 6)
            : [
                percent(score.missed), percent(score.premature),
                milliseconds(score.latencyMedian, beyond: rules.trailing),
                milliseconds(score.latencyP95, beyond: rules.trailing), percent(score.late), percent(score.early),
            ]
        return row(
            [title, decimal(score.precision, 3), decimal(score.recall, 3), percent(score.falseStart)] + ends
                + [milliseconds(score.onsetMedian)])
    }

    private var remarks: [String] {
        [
            "**Bold**: better than Oracy's. An end is declared after \(decimal(rules.trailing, 1)) s without a voice of at "
                + "least \(decimal(rules.minBurst, 1)) s, by one and the same rule for all; a detector that always hears "
                + "a voice is never premature, and misses every end.",
            "",
            "Its own ends are those that an exam would declare, when it would: the rule knows afterwards that a voice had "
                + "begun, an exam knows it when its ears have decided.",
            "",
            "Peers: \(versions.isEmpty ? "none" : versions.joined(separator: ", ")). WebRTC's modes 2 and 3: frames of 10 ms. "
                + "auditok: its defaults (−40 dBFS). TEN: hops of 256 samples, threshold 0.5. Silero: the defaults of "
                + "get_speech_timestamps; each chunk: its 32 ms as they are, threshold 0.5.",
        ]
    }

    private func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}

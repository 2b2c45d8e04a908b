import DetectorScores

/// The second table of the report: Oracy's figures with confidence intervals, and figures of the ends of answers that
/// an exam would declare.
extension DetectorReport {
    var oracyAlone: [String] {
        if spoken.isEmpty { return [] }
        let heads = [
            "Oracy alone, % [95 of 100 draws]", "F1", "ends missed", "premature", "declared: missed", "premature",
            "ms late: median", "95 of 100", "P", "R", "false starts", "onset, ms",
        ]
        return [cells(heads), rule(under: heads)]
            + spoken.map { row in
                let (rule, declared) = (row.oracy.total, row.declared.total)
                let ends =
                    rule.eligibleTurns == 0
                    ? Array(repeating: "–", count: 6)
                    : figures([\.missed, \.premature], of: row.oracy)
                        + figures([\.missed, \.premature], of: row.declared)
                        + [
                            milliseconds(declared.latencyMedian.map { $0 - declared.rules.trailing }),
                            late(row.declared),
                        ]
                let others = [
                    percent(rule.precision), percent(rule.recall), percent(rule.falseStart),
                    milliseconds(rule.onsetMedian),
                ]
                return cells([row.condition.title] + figures([\.f1], of: row.oracy) + ends + others)
            }
    }

    /// Returns figures in the form `4.1 [1.2, 7.6]`.
    private func figures(_ paths: [KeyPath<DetectorScore, Double>], of scores: SpeakerScores) -> [String] {
        let intervals = scores.intervals(of: paths.map { path in { $0[keyPath: path] } })
        return zip(paths, intervals).map { path, interval in
            percent(scores.total[keyPath: path])
                + (interval.map { " [\(percent($0.lowerBound)), \(percent($0.upperBound))]" } ?? "")
        }
    }

    private func late(_ scores: SpeakerScores) -> String {
        let interval = scores.intervals(of: [\.lateness])[0]
        return milliseconds(scores.total.lateness)
            + (interval.map { " [\(milliseconds($0.lowerBound)), \(milliseconds($0.upperBound))]" } ?? "")
    }

    private func milliseconds(_ seconds: Double?) -> String { seconds.map { decimal($0 * 1_000, 0) } ?? "–" }
}

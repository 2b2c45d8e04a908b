import DetectorScores

/// The figures in which two detectors are compared under a condition, with the precision of the report, so that equal
/// numbers count as equal.
struct DetectorFigures {
    /// In the order of the table. A greater merit is better.
    var merits: [(merit: Int, text: String)]

    init(_ score: DetectorScore, _ kind: Condition.Kind) {
        func share(_ part: Double, better sign: Int) -> (Int, String) {
            (sign * Int((part * 1_000).rounded()), percent(part))
        }
        if kind == .noiseAlone {
            merits = [share(score.falseAlarms, better: -1)]
            return
        }
        merits = [share(score.f1, better: 1)]
        guard score.eligibleTurns > 0 else { return }
        merits += [share(score.missed, better: -1), share(score.premature, better: -1)]
        guard kind == .lateEnds else { return }
        let late = score.lateness.map { Int(($0 * 1_000).rounded()) }
        merits.append((-(late ?? .max), late.map { "\($0) ms" } ?? "–"))
    }
}

extension DetectorScore {
    /// The seconds by which the 95th percentile of the ends exceeds the requested silence.
    var lateness: Double? { latencyP95.map { $0 - rules.trailing } }
}

/// Returns a percentage with one decimal, without the sign, which is in the table's head.
func percent(_ part: Double) -> String { decimal(part * 100, 1) }

/// Returns one row of a Markdown table.
func cells(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

/// Returns the line below a table's head.
func rule(under heads: [String]) -> String { cells(heads.map { _ in "---" }) }

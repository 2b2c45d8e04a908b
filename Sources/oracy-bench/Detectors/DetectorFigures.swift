import DetectorScores

/// What is compared of two detectors under one condition, in the places that are shown: so what looks level is level.
struct DetectorFigures {
    /// In the order of the table, the more the better.
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
    /// Of 95 of 100 ends, at most so much later than the silence asked for; seconds.
    var lateness: Double? { latencyP95.map { $0 - rules.trailing } }
}

/// To a tenth, without the sign: a table's head has it.
func percent(_ part: Double) -> String { decimal(part * 100, 1) }

/// One row of a Markdown table.
func cells(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

/// The line below a table's head.
func rule(under heads: [String]) -> String { cells(heads.map { _ in "---" }) }

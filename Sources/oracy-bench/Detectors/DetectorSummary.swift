import DetectorScores
import Foundation

/// The report's figures for programs: a JSON array with one line per detector and condition.
extension DetectorReport {
    /// Percentages and milliseconds. A figure that has no meaning for a row is left out.
    private struct Line: Encodable {
        var row: String
        var detector: String
        var files: Int
        var turns: Int
        var f1: Figure?
        var missed: Figure?
        var premature: Figure?
        /// The 95th percentile of the delay after the silence, in ms.
        var late: Figure?
        /// The frames without speech that were heard as speech.
        var falseAlarms: Figure?
        var declaredMissed: Figure?
        var declaredPremature: Figure?
        var declaredLate: Figure?
    }

    private struct Figure: Encodable {
        var value: Double
        /// The interval of 95 of 100 draws; nil if there were too few.
        var from: Double?
        var to: Double?
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = try rows.flatMap { row in
            var ours = line(row, "Oracy", row.oracy)
            if ours.turns > 0 { (ours.declaredMissed, ours.declaredPremature, ours.declaredLate) = ends(row.declared) }
            let theirs = peers.compactMap { peer in row.peers[peer].map { line(row, peer, $0) } }
            return try ([ours] + theirs).map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        }
        return "[\n" + lines.joined(separator: ",\n") + "\n]\n"
    }

    private func line(_ row: DetectorRow, _ detector: String, _ scores: SpeakerScores) -> Line {
        let total = scores.total
        var line = Line(row: row.condition.title, detector: detector, files: row.files, turns: total.eligibleTurns)
        line.falseAlarms = figures([\.falseAlarms], of: scores, times: 100)[0]
        if row.condition.kind != .noiseAlone { line.f1 = figures([\.f1], of: scores, times: 100)[0] }
        if total.eligibleTurns > 0 { (line.missed, line.premature, line.late) = ends(scores) }
        return line
    }

    private func ends(_ scores: SpeakerScores) -> (Figure?, Figure?, Figure?) {
        let parts = figures([\.missed, \.premature], of: scores, times: 100)
        return (parts[0], parts[1], figures([\.lateness], of: scores, times: 1_000)[0])
    }

    private func figures(
        _ figures: [(DetectorScore) -> Double?], of scores: SpeakerScores, times unit: Double
    ) -> [Figure?] {
        func rounded(_ figure: Double) -> Double { (figure * unit * 100).rounded() / 100 }
        let (total, intervals) = (scores.total, scores.intervals(of: figures))
        return zip(figures, intervals).map { figure, interval in
            figure(total).map {
                Figure(
                    value: rounded($0), from: interval.map { rounded($0.lowerBound) },
                    to: interval.map { rounded($0.upperBound) })
            }
        }
    }
}

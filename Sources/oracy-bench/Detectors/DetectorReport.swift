import DetectorScores
import Foundation

/// The results under one condition.
struct DetectorRow {
    var condition: Condition
    var files: Int
    var oracy: SpeakerScores
    /// The scores with the ends that Oracy itself declared.
    var declared: SpeakerScores
    /// The number of those ends.
    var declaredEnds: Int
    /// The peers' scores by title.
    var peers: [String: SpeakerScores] = [:]
}

/// The report of `oracy-bench vad` in Markdown, for `docs/vad.md`.
struct DetectorReport {
    var command: String
    /// The titles of the peers, in order.
    var peers: [String]
    var versions: [String]
    var rows: [DetectorRow] = []
    /// The absences by the peer's title.
    var absences: [String: Peer.Absence] = [:]

    func write(to path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    var text: String {
        let alone = aloneInNoise
        let parts = [head, beside, ahead, oracyAlone, alone, rowsInWords, remarks]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    /// The rows with speech.
    var spoken: [DetectorRow] { rows.filter { $0.condition.kind != .noiseAlone } }

    private var head: [String] {
        let day = Date().formatted(.iso8601.year().month().day())
        let names = versions.isEmpty ? "none" : versions.joined(separator: ", ")
        return [
            "# The voice detector beside others", "",
            "`make bench-vad` wrote this on \(day): `\(command)`. Peers: \(names).",
        ]
    }

    /// The table of Oracy and its peers. Figures better than Oracy's are bold.
    private var beside: [String] {
        let heads = ["F1 / ends missed / premature, %", "Oracy"] + peers
        return [cells(heads), rule(under: heads)] + spoken.map { line($0, $0.condition.title + size(of: $0)) }
    }

    private var aloneInNoise: [String] {
        let noises = rows.filter { $0.condition.kind == .noiseAlone }
        if noises.isEmpty { return [] }
        let heads = ["frames heard as speech, %", "Oracy"] + peers + ["answers that Oracy would end"]
        return [cells(heads), rule(under: heads)] + noises.map { line($0, $0.condition.title, ["\($0.declaredEnds)"]) }
    }

    private func line(_ row: DetectorRow, _ title: String, _ more: [String] = []) -> String {
        let ours = DetectorFigures(row.oracy.total, row.condition.kind)
        let theirs = peers.map { peer -> String in
            guard let scores = row.peers[peer] else { return "–" }
            return zip(DetectorFigures(scores.total, row.condition.kind).merits, ours.merits).map { their, our in
                their.merit > our.merit ? "**\(their.text)**" : their.text
            }.joined(separator: " / ")
        }
        return cells([title, ours.merits.map(\.text).joined(separator: " / ")] + theirs + more)
    }

    private func size(of row: DetectorRow) -> String {
        let turns = row.oracy.total.eligibleTurns
        return " (\(row.files) files" + (turns > 0 ? ", \(turns) turns)" : ")")
    }

    /// A sentence for each peer: how often Oracy is ahead of it, or why it is missing.
    private var ahead: [String] {
        peers.map { peer in
            if let absence = absences[peer] { return "- \(peer) is missing: \(absence.reason)." }
            let leads = rows.flatMap { row -> [Int] in
                guard let theirs = row.peers[peer] else { return [] }
                let ours = DetectorFigures(row.oracy.total, row.condition.kind).merits
                return zip(ours, DetectorFigures(theirs.total, row.condition.kind).merits).map { $0.merit - $1.merit }
            }
            return "- Oracy beside \(peer): ahead in \(leads.count { $0 > 0 }) of \(leads.count) figures, "
                + "level in \(leads.count { $0 == 0 }), behind in \(leads.count { $0 < 0 })."
        }
    }
}

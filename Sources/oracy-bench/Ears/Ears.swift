import EarScores
import FoundationEssentials

/// `oracy-bench ears`: this detector beside others, on the same recordings, in one run.
struct Ears {
    /// Of speech to noise, dB.
    var ratio = 10.0
    /// Where the report is written, beside stdout.
    var output: String?

    /// Silence ends an answer after 1.5 s, and a sound under 0.1 s is no voice: what helped every detector.
    private static let rules = EarScore.Rules(trailing: 1.5, minBurst: 0.1)

    init(_ words: [String]) {
        var words = words[...]
        while let option = words.popFirst() {
            switch (option, words.popFirst()) {
            case ("--output", let path?): output = path
            case ("--snr", let text?):
                guard let number = Double(text), number.isFinite else { fail("--snr takes decibels, not \(text)") }
                ratio = number
            default: fail("ears takes --output FILE and --snr DECIBELS, not \(option)", code: 64)
            }
        }
    }

    func run() throws {
        guard let data = LabelledSound(top) else {
            fail(
                "no labelled speech: ../shared/data/vad is not there, and ORACY_VAD_DATA names no folder with it",
                code: 66)
        }
        let folder = work + "/ears"
        say("… the recordings")
        let conditions = try data.write(to: folder, ratio: ratio)
        say("… Oracy")
        let ours = try oracyHears(conditions.flatMap(\.recordings), in: folder, silence: Self.rules.trailing)
        let peers = Peer.all.map { peer in
            say("… \(peer.title)")
            let scores = Result { () throws(Peer.Absence) in try peer.hear(in: folder, top: top) }
            return (peer.title, scores.map { heard in conditions.map { score($0, heard.speech) } })
        }
        let table = EarTable(
            conditions: conditions,
            oracy: conditions.map { score($0, ours.speech) },
            declared: ours.declaredEnds.map { ends in conditions.map { score($0, ours.speech, ends) } },
            peers: peers,
            versions: Peer.versions(top: top),
            rules: Self.rules
        )
        print(table.text)
        if let output { try table.text.write(toFile: output, atomically: true, encoding: .utf8) }
    }

    /// - Parameter declaredEnds: nil: those that the rules derive.
    private func score(
        _ condition: LabelledSound.Condition, _ speech: [String: Speech], _ declaredEnds: [String: [Double]]? = nil
    ) -> EarScore {
        var score = EarScore(Self.rules)
        for recording in condition.recordings {
            score.add(
                labelled: recording.labelled,
                heard: speech[recording.name] ?? Speech([]),
                declared: declaredEnds.map { $0[recording.name] ?? [] },
                duration: recording.duration
            )
        }
        return score
    }
}

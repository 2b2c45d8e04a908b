import ExamCore
import SessionFolders

extension HeardFile {
    /// A table for people with a total in the last line, followed by the ends of answers if these were requested.
    var list: String {
        ([name] + (soundTable + [totals] + endTable).map { "  " + $0 }).joined(separator: "\n") + "\n"
    }

    private var soundTable: [String] {
        guard !sounds.isEmpty else { return [] }
        let header = ["start s", "end s", "length s", "level dBFS", ""]
        return
            ([header]
            + sounds.map { sound in
                [sound.start.text, sound.end.text, sound.duration.text, sound.levelDBFS.tenths, sound.remarkOnCounting]
            }).columns(right: 0...3)
    }

    private var endTable: [String] {
        guard let ends else { return [] }
        guard !ends.isEmpty else { return ["no end of answer"] }
        let header = ["answer over s", "silent since s", "silence s", "reason"]
        return
            ([header]
            + ends.map { [$0.at.text, $0.silentSince.text, $0.reason.silence.text, $0.words] }).columns(right: 0...2)
    }
}

extension HeardFile.Sound {
    fileprivate var remarkOnCounting: String {
        guard let remark = kind.remark else { return "" }
        return kind.counts ? remark : remark + ": did not count"
    }
}

extension Double {
    /// The number with one decimal: `-24.3`.
    var tenths: String {
        let tenths = Int((self * 10).rounded())
        return (tenths < 0 ? "-" : "") + "\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}

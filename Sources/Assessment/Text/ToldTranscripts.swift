extension [AnswerTranscript] {
    /// The transcripts that language measures use: for each answer the one that the candidate typed, or else the first
    /// recogniser's.
    package var told: [AnswerTranscript] {
        var named: Set<String> = []
        let byTrust = filter { $0.source == .own } + filter { $0.source == .recogniser }
        let chosen = byTrust.filter { named.insert($0.answer).inserted }
        return filter(chosen.contains)
    }

    /// Returns these transcripts and those from assessors. The mistakes that assessors found become checks of the
    /// transcripts.
    ///
    /// - Parameter digest: computes the digest of a text, as stored in `AssessorFinding.words`.
    public func joined(with findings: [AssessorFinding], digest: (String) -> String) -> [AnswerTranscript] {
        var all = self + findings.compactMap(\.transcript)
        for finding in findings {
            guard let mistakes = finding.mistakes, let words = finding.words else { continue }
            let check = LanguageCheck(source: finding.source.id, mistakes: mistakes, sentTo: finding.sentTo)
            for index in all.indices
            where all[index].answer == finding.answer && all[index].recording == finding.recording
                && digest(all[index].text) == words
            {
                all[index].checks.append(check)
            }
        }
        return all
    }
}

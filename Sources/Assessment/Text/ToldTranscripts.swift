extension [AnswerTranscript] {
    /// The words by which an exam's language is told: of each answer what the candidate typed, else what the first recogniser heard.
    package var told: [AnswerTranscript] {
        var named: Set<String> = []
        let byTrust = filter { $0.source == .own } + filter { $0.source == .recogniser }
        let chosen = byTrust.filter { named.insert($0.answer).inserted }
        return filter(chosen.contains)
    }

    /// These and what assessors heard; what assessors found wrong in either stands with it, as a check of theirs.
    ///
    /// - Parameter digest: of a text, as `AssessorFinding.words` has it.
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

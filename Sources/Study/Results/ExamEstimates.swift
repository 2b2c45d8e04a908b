import Assessment
import ExamCore
import SystemSupport

extension ExamEvidence {
    /// The assessors' findings without those on answers that don't count, such as introductions.
    var counted: [AssessorFinding] {
        let others = Set(answers.filter { !$0.record.counts }.map(\.record.name))
        return resting.filter { !others.contains($0.answer) }
    }

    /// Returns what an estimate of the exam rests on. Findings on words that the learner typed are left out: nothing
    /// shows that they were said like that.
    func estimateBasis(limits: MarkLimits) -> EstimateBasis {
        let heard = said.compactMap(\.transcript)
        let typed = Set(self.typed.map(\.text.digest)).subtracting(heard.map(\.text.digest))
        let spoken = counted.filter { finding in finding.words.map { !typed.contains($0) } ?? true }
        let counts = Dictionary(heard.map { ($0.answer, $0.text.split { $0.isWhitespace }.count) }) { first, _ in first
        }
        let names = Set(answers.counted.map(\.record.name))
        let words = counts.filter { names.contains($0.key) }.values.reduce(0, +)
        return EstimateBasis(
            sheets: sheets, findings: spoken.flatMap(\.countedEvidence),
            answers: answers.compactMap(\.spoken), words: words > 0 ? words : nil, limits: limits)
    }
}

extension String {
    /// The SHA-256 of the text. A finding names the words that it judged by their digest.
    var digest: String { SHA256.hexadecimal(of: Array(utf8)) }
}

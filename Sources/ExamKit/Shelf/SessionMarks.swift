public import Assessment
import ExamCore
public import SystemSupport

/// What marks of a session come to.
extension SessionFolder {
    /// What is there to be marked: the session's answers, in order.
    ///
    /// - Throws: `Problem`: `missing` where the exam is not over, or has no answers; `malformed`.
    public func answersToMark() throws(Problem) -> [StoredTake] {
        guard let manifest = try readManifest() else {
            throw Problem(.missing, "\(path): the exam is not over, so there is nothing to mark yet")
        }
        let takes = manifest.takes.filter(\.record.counts)
        guard !takes.isEmpty else {
            throw Problem(.missing, "\(path): has no answers that count, so there is nothing to mark")
        }
        return takes
    }

    /// The result of the marks that people and machines gave; nil where nobody marked.
    ///
    /// - Throws: as `answersToMark`.
    public func markedResult(rules: ResultRules = .ielts) throws(Problem) -> ExamResult? {
        let sheets = try readMarks()
        let said = try readFindings().flatMap(\.evidence)
        guard !sheets.isEmpty || !said.isEmpty else { return nil }
        let answers = try answersToMark().map { take in
            SpokenAnswer(
                name: take.record.name, speech: Double(take.speech.duration.milliseconds) / 1000, recording: take.sha256
            )
        }
        return ExamResult.make(sheets: sheets, findings: said, answers: answers, rules: rules)
    }
}

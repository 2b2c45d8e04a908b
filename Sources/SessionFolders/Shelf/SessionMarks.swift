public import Assessment
import ExamCore
public import SystemSupport

/// The marking of a session.
extension SessionFolder {
    /// Returns the session's answers to mark, in order.
    ///
    /// - Throws: `Problem`: `missing` if the exam isn't over or has no answers; `malformed`.
    public func answersToMark() throws(Problem) -> [StoredTake] {
        guard let manifest = try readManifest() else {
            throw Problem(.missing, "\(path): the exam is not over, so there is nothing to mark yet")
        }
        let takes = manifest.takes.counted
        guard !takes.isEmpty else {
            throw Problem(.missing, "\(path): has no answers that count, so there is nothing to mark")
        }
        return takes
    }

    /// Returns the result of the marks by people and machines; nil without marks.
    ///
    /// - Throws: As `answersToMark`.
    public func markedResult(rules: ResultRules = .ielts) throws(Problem) -> ExamResult? {
        let sheets = try readMarks()
        let findings = try readFindings()
        let said = findings.flatMap(\.countedEvidence)
        guard !sheets.isEmpty || !said.isEmpty else { return nil }
        let answers = try answersToMark().map { take in
            SpokenAnswer(
                name: take.record.name, speech: Double(take.speech.duration.milliseconds) / 1000, recording: take.sha256
            )
        }
        return ExamResult.make(
            sheets: sheets, findings: said, answers: answers, limits: try markLimits(), rules: rules)
    }

    /// Returns the limits of machines' marks by the measurements; unknown if nothing was measured.
    private func markLimits() throws(Problem) -> MarkLimits {
        guard let assessment = try readAssessment() else { return .unknown }
        return MarkLimits(assessment.delivery, ExamText(of: assessment, try transcriptsAndHeard()).exam)
    }
}

public import Assessment
import FoundationEssentials
import Glibc
public import SystemSupport

/// What was found in a session, beside its recordings: measured (`assessment.json`), typed or recognised (`transcripts.json`), marked by
/// people (`marks.json`), said by assessors (`findings.json`, and `calls.jsonl`: every word that services answered). Private like everything in the folder, and erased with it.
extension SessionFolder {
    /// Where what was measured lies.
    public var assessment: String { path + "/assessment.json" }
    /// Where what was typed or recognised lies.
    public var transcripts: String { path + "/transcripts.json" }
    /// Where people's marks lie.
    public var marks: String { path + "/marks.json" }
    /// Where what assessors said lies.
    public var findings: String { path + "/findings.json" }
    /// Where every word that services answered lies, a line a call.
    public var calls: String { path + "/calls.jsonl" }

    /// Reads `assessment.json`; nil where there is none.
    ///
    /// - Throws: `Problem.malformed`.
    public func readAssessment() throws(Problem) -> ExamAssessment? {
        guard access(assessment, F_OK) == 0 else { return nil }
        return try JSONFile.decodeOwn(
            ExamAssessment.self, "assessment", version: ExamAssessment.layoutVersion,
            from: PrivateFile.read(assessment), name: assessment)
    }

    /// - Throws: `Problem.unwritable`.
    public func write(_ assessment: ExamAssessment) throws(Problem) {
        try PrivateFile.replace(self.assessment, with: JSONFile.encode(assessment))
    }

    /// The transcripts of the session's answers; empty where there are none.
    ///
    /// - Throws: `Problem.malformed`.
    public func readTranscripts() throws(Problem) -> [AnswerTranscript] {
        try list(of: AnswerTranscript.self, "transcripts", from: transcripts)
    }

    /// Keeps a transcript; it takes the place of the one of the same answer and source.
    ///
    /// - Throws: `Problem`: `malformed`, `unwritable`.
    public func keep(_ transcript: AnswerTranscript) throws(Problem) {
        var all = try readTranscripts()
        all.removeAll { $0.answer == transcript.answer && $0.source == transcript.source }
        try PrivateFile.replace(transcripts, with: JSONFile.encode(Findings(items: all + [transcript])))
    }

    /// People's marks, a sheet a person; empty where nobody marked.
    ///
    /// - Throws: `Problem.malformed`.
    public func readMarks() throws(Problem) -> [MarkSheet] {
        try list(of: MarkSheet.self, "marks", from: marks)
    }

    /// Keeps a person's marks; they take the place of what the same person marked before.
    ///
    /// - Throws: `Problem`: `malformed`, `unwritable`.
    public func keep(_ sheet: MarkSheet) throws(Problem) {
        var all = try readMarks()
        all.removeAll { $0.marker == sheet.marker }
        try PrivateFile.replace(marks, with: JSONFile.encode(Findings(items: all + [sheet])))
    }

    /// What assessors said of the session's answers; empty where nobody was asked.
    ///
    /// - Throws: `Problem.malformed`.
    public func readFindings() throws(Problem) -> [AssessorFinding] {
        try list(of: AssessorFinding.self, "findings", from: findings)
    }

    /// The candidate's own transcripts and what assessors heard, with what was found wrong in either.
    ///
    /// - Throws: `Problem.malformed`.
    public func transcriptsAndHeard() throws(Problem) -> [AnswerTranscript] {
        try readTranscripts().joined(with: readFindings()) { SHA256.hexadecimal(of: Array($0.utf8)) }
    }

    /// Keeps what an assessor said; it takes the place of what the same version said of the same answer before.
    ///
    /// - Throws: `Problem`: `malformed`, `unwritable`.
    public func keep(_ finding: AssessorFinding) throws(Problem) {
        var all = try readFindings()
        all.removeAll { $0.answer == finding.answer && $0.source == finding.source }
        try PrivateFile.replace(findings, with: JSONFile.encode(Findings(items: all + [finding])))
    }

    private func list<Item: Codable>(
        of type: Item.Type, _ kind: String, from path: String
    ) throws(Problem) -> [Item] {
        guard access(path, F_OK) == 0 else { return [] }
        return try JSONFile.decodeOwn(
            Findings<Item>.self, kind, version: 1, from: PrivateFile.read(path), name: path
        ).items
    }
}

/// A list in a file, with the version of its layout.
private struct Findings<Item: Codable>: Codable {
    var version = 1
    var items: [Item]
}

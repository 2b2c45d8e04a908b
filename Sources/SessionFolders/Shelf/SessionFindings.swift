public import Assessment
import ExamCore
import FoundationEssentials
import Glibc
public import SystemSupport

/// The findings of a session, stored next to its recordings: measurements (`assessment.json`), typed or recognised
/// transcripts (`transcripts.json`), people's marks (`marks.json`), and the words of assessors (`findings.json`, and
/// `calls.jsonl` with every answer of a service). Private like everything in the folder, and erased with it.
extension SessionFolder {
    /// The path of the measurements.
    public var assessment: String { path + "/assessment.json" }
    /// The path of the typed or recognised transcripts.
    public var transcripts: String { path + "/transcripts.json" }
    /// The path of people's marks.
    public var marks: String { path + "/marks.json" }
    /// The path of the assessors' findings.
    public var findings: String { path + "/findings.json" }
    /// The path of the services' answers, one line per call.
    public var calls: String { path + "/calls.jsonl" }

    /// Reads `assessment.json`; nil if it is missing. Introductions that an earlier version measured are left out.
    ///
    /// - Throws: `Problem.malformed`.
    public func readAssessment() throws(Problem) -> ExamAssessment? {
        guard access(assessment, F_OK) == 0 else { return nil }
        let state = FileState(of: assessment)
        let read: ExamAssessment
        if let known = Self.knownAssessments.value(of: assessment, in: state) {
            read = known
        } else {
            read = try JSONFile.decodeOwn(
                ExamAssessment.self, "assessment", version: ExamAssessment.layoutVersion,
                from: PrivateFile.read(assessment), name: assessment)
            Self.knownAssessments.remember(read, of: assessment, in: state)
        }
        guard read.answers.assessed.count < read.answers.count else { return read }
        // This assessment was made when introductions still counted.
        return .make(
            session: read.session,
            answers: read.answers.map { .init(record: $0.record, recording: $0.recording, sound: $0.sound) })
    }

    /// The assessments that were read. Each file has some 250 kB of JSON.
    private static let knownAssessments = KnownFiles<ExamAssessment>()

    /// The names of the answers that stay with the candidate; empty while the exam is not over.
    private func introductions() throws(Problem) -> Set<String> {
        Set(try readManifest()?.takes.map(\.record).filter { $0.purpose == .introduction }.map(\.name) ?? [])
    }

    /// - Throws: `Problem.unwritable`.
    public func write(_ assessment: ExamAssessment) throws(Problem) {
        Self.knownAssessments.forget(self.assessment)
        try PrivateFile.replace(self.assessment, with: JSONFile.encode(assessment))
    }

    /// The transcripts of the session's assessed answers; empty if nothing was written down.
    ///
    /// - Throws: `Problem.malformed`.
    public func readTranscripts() throws(Problem) -> [AnswerTranscript] {
        let all = try allTranscripts()
        if all.isEmpty { return [] }
        let introductions = try introductions()
        return all.filter { !introductions.contains($0.answer) }
    }

    /// The transcripts including those of introductions, which earlier versions kept. For the report of an erasure.
    ///
    /// - Throws: `Problem.malformed`.
    package func allTranscripts() throws(Problem) -> [AnswerTranscript] {
        try list(of: AnswerTranscript.self, "transcripts", from: transcripts)
    }

    /// Stores a transcript. It replaces the one of the same answer and source.
    ///
    /// - Throws: `Problem`: `malformed`, `unwritable`.
    public func keep(_ transcript: AnswerTranscript) throws(Problem) {
        var all = try allTranscripts()
        all.removeAll { $0.answer == transcript.answer && $0.source == transcript.source }
        try PrivateFile.replace(transcripts, with: JSONFile.encode(Findings(items: all + [transcript])))
    }

    /// Reads people's marks, one sheet per person; empty if no one has marked yet.
    ///
    /// - Throws: `Problem.malformed`.
    public func readMarks() throws(Problem) -> [MarkSheet] {
        try list(of: MarkSheet.self, "marks", from: marks)
    }

    /// Stores a person's marks. They replace the earlier marks of the same person.
    ///
    /// - Throws: `Problem`: `malformed`, `unwritable`.
    public func keep(_ sheet: MarkSheet) throws(Problem) {
        var all = try readMarks()
        all.removeAll { $0.marker == sheet.marker }
        try PrivateFile.replace(marks, with: JSONFile.encode(Findings(items: all + [sheet])))
    }

    /// The assessors' findings about the session's assessed answers; empty if no assessor was asked.
    ///
    /// - Throws: `Problem.malformed`.
    public func readFindings() throws(Problem) -> [AssessorFinding] {
        let all = try allFindings()
        if all.isEmpty { return [] }
        let introductions = try introductions()
        return all.filter { !introductions.contains($0.answer) }
    }

    /// The findings including those on introductions, which earlier versions sent out. For the report of an erasure.
    ///
    /// - Throws: `Problem.malformed`.
    package func allFindings() throws(Problem) -> [AssessorFinding] {
        try list(of: AssessorFinding.self, "findings", from: findings)
    }

    /// Returns the candidate's own transcripts and those of assessors, with the errors found in them.
    ///
    /// - Throws: `Problem.malformed`.
    public func transcriptsAndHeard() throws(Problem) -> [AnswerTranscript] {
        try readTranscripts().joined(with: readFindings()) { SHA256.hexadecimal(of: Array($0.utf8)) }
    }

    /// Stores a finding of an assessor. It replaces the one of the same version on the same answer.
    ///
    /// - Throws: `Problem`: `malformed`, `unwritable`.
    public func keep(_ finding: AssessorFinding) throws(Problem) {
        var all = try allFindings()
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

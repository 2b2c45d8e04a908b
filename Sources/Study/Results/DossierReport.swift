public import Assessment
import ExamCore
public import Reports
public import SystemSupport

extension ExamDossier {
    /// The most bytes of sound in a report, enough for four and a half hours. The report leaves out the rest.
    public static let mostSound = 48 << 20

    /// Returns the content of its report.
    ///
    /// - Parameters:
    ///   - withSound: Whether the report contains the recordings. They are fetched one after the other.
    ///   - command: Returns the command that a step's action needs. Nil for readers without the tool.
    /// - Throws: The shelf's errors.
    public func report(
        from shelf: some LearnerShelf, withSound: Bool,
        command: (@Sendable (NextStep.Action) -> String)? = nil
    ) async throws(Problem) -> ReportContent {
        var answers: [ReportedAnswer] = []
        var room = Self.mostSound
        for answer in evidence.answers.assessed {
            let name = answer.record.name
            let recording = withSound && room > 0 ? try await shelf.recording(of: name, in: evidence.entry.id) : nil
            room -= recording?.bytes.count ?? 0
            let turn = turn(of: answer.record)
            let measured = assessment.answers.first { $0.record.name == name }
            answers.append(
                ReportedAnswer(
                    record: answer.record, number: asked.number(of: answer.record),
                    question: question(of: answer.record), card: turn?.card,
                    sound: measured?.sound, delivery: measured?.delivery, recording: recording,
                    promptPeaks: try await shelf.peaks(of: turn?.prompt ?? [], in: evidence.entry.id),
                    transcripts: transcripts.filter { $0.answer == name && $0.recording == answer.recording },
                    text: text[name]))
        }
        var content = ReportContent(
            session: evidence.entry.id, title: title, startedAt: evidence.entry.startedAt,
            outcome: evidence.entry.ending?.words, provenance: evidence.provenance, answers: answers,
            delivery: assessment.answers.isEmpty ? nil : assessment.delivery, parts: assessment.parts,
            text: text.exam, sheets: evidence.sheets, result: result, earlier: earlier, estimates: estimates,
            strength: strength,
            steps: steps, command: command,
            notAssessed: notAssessed.compactMap(\.reported))
        content.goal = GoalProgress(wanted: await GoalProgress.wantedBand(on: shelf), [estimates]).map {
            ($0.wanted, $0.sentence)
        }
        if let startedAt = evidence.entry.startedAt, !earlier.isEmpty {
            let own = ProgressExam(
                session: evidence.entry.id, startedAt: startedAt, day: String(startedAt.prefix(10)), of: assessment)
            content.progress = earlier.reversed().map(ProgressExam.init) + [own]
        }
        return content
    }
}

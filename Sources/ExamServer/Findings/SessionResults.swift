import ExamCore
import ExamNode
import ExamStore
import Foundation
import ServerWork
import SessionFolders
import SystemSupport

/// Reads a session's results: its answers, their measurements, and the scores for which there is evidence.
struct SessionResults: Sendable {
    let services: Services

    /// Returns the results.
    ///
    /// - Returns: nil if there is no such session.
    func results(of id: UUID, _ owned: OwnedStore) async throws(StoreError) -> ResultsAnswer? {
        // Read before the session and its answers: if the evaluation or the marking proceeds meanwhile, these may be
        // newer, but never older.
        let marking = try await services.store.service.marking(of: id)
        guard let (session, evaluation) = try await owned.sessionWithEvaluation(id) else { return nil }
        let responses = try await owned.responses(of: id)
        let template = session.templateID ?? TemplateIDs.template(session.format, session.paper)
        let questions = try await owned.questions(of: template)
        let (turns, notes) = try await kept(of: id)
        let texts = Dictionary(questions.map { ($0.question, $0.text) }) { first, _ in first }
        let answers = responses.map { response in
            var record = response.record
            // Records of earlier versions do not state it.
            record.purpose = record.purpose
            return ResultAnswer(
                answerID: response.id, record: record, questionID: response.questionID,
                text: texts[response.question] ?? turns[response.question]?.question,
                asked: QuestionAnswer(turns[response.question]), peaks: response.peaks ?? [],
                scores: ScoresAnswer(response.scores), transcript: response.transcript, mistakes: response.mistakes,
                recording: "/v1/sessions/\(id.name)/answers/\(response.id.name)/recording")
        }
        let said = try await SaidOfAnswers(of: id, in: services.store.service)
        return ResultsAnswer(
            session: SessionAnswer(session, evaluation), status: session.status.rawValue,
            assessment: services.assessment(of: session, marking), marking: MarkingAnswer(marking),
            scores: ScoresAnswer(session.scores, overall: session.overallBand),
            evidence: EvidenceStanding(of: session, marking, responses, said), notes: notes, answers: answers)
    }

    /// Returns the questions of a session that was held here, by their ids, and the notes on its card.
    private func kept(
        of session: UUID
    ) async throws(StoreError) -> (turns: [String: ExamScript.Turn], notes: String?) {
        let files = try await services.store.service.files(of: session)
        var turns: [String: ExamScript.Turn] = [:]
        if let exam = files["exam.json"], let frozen = try? FrozenExam(exam, from: "exam.json"),
            let script = ExamScript.assemble(frozen.format, frozen.paper, options: frozen.options).0
        {
            for turn in script.turns { turns[turn.id] = turn }
        }
        let notes = files["notes.txt"].map { String(decoding: $0, as: UTF8.self) }
        return (turns, notes.flatMap { $0.isEmpty ? nil : $0 })
    }
}

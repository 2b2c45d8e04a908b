import Assessment
import Assessors
import ExamStore
import Foundation
import SystemSupport

/// What an answer's row, and a session's, show of what was said: columns that other programs read (D2, D5). All of it follows from the findings.
enum ShownResult {
    /// - Parameters:
    ///   - findings: on this answer, as settled.
    ///   - azure: what Azure answered, piece by piece.
    static func of(
        _ response: TestResponse, _ findings: [AssessorFinding], panel: AssessorPanel, azure: [String] = []
    ) -> ResponseResult {
        var result = ResponseResult(response: response.id)
        let ordered = inOrder(SaidOfAnswers.resting(findings, on: response), of: panel)
        let made = ExamResult.make(
            sheets: [], findings: ordered.flatMap(\.countedEvidence), answers: [response.spoken].compactMap(\.self))
        result.scores = scores(made)
        let transcript = ordered.compactMap(\.transcript).first
        result.transcript = transcript?.text
        // Mistakes have places in the words that are shown.
        let digest = transcript.map(\.digest)
        result.mistakes = ordered.first { $0.mistakes != nil && $0.words == digest }?.mistakes
        result.azureResponse = azure.isEmpty ? nil : "[\(azure.joined(separator: ","))]"
        return result
    }

    static func of(
        _ responses: [TestResponse], _ findings: [UUID: [AssessorFinding]], panel: AssessorPanel, sheets: [MarkSheet],
        limits: MarkLimits
    ) -> StoredResult {
        let all = responses.flatMap { response in
            inOrder(SaidOfAnswers.resting(findings[response.id] ?? [], on: response), of: panel)
        }
        let made = ExamResult.make(
            sheets: sheets, findings: all.flatMap(\.countedEvidence), answers: responses.compactMap(\.spoken),
            limits: limits)
        return StoredResult(overallBand: made.overall.mark, scores: scores(made), isHeld: made.isHeld)
    }

    /// Those of who is asked now, in their order; others said it under rules that hold no more.
    private static func inOrder(_ findings: [AssessorFinding], of panel: AssessorPanel) -> [AssessorFinding] {
        panel.seats.flatMap { seat in findings.filter { $0.source == seat.assessor.source } }
    }

    private static func scores(_ made: ExamResult) -> Scores {
        func mark(_ criterion: Criterion) -> Double? { made.criteria[criterion]?.outcome.mark }
        return Scores(
            fluency: mark(.fluency), pronunciation: mark(.pronunciation), grammar: mark(.grammar),
            vocabulary: mark(.vocabulary), topicRelevance: made.topicRelevance.outcome.mark)
    }
}

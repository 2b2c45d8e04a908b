import Assessment
import Assessors
import ExamNode
import ExamStore
import Foundation

/// The columns of an answer's and a session's row that show the findings to other programs. All of them follow from the
/// findings.
enum ShownResult {
    /// Returns the columns of an answer.
    ///
    /// - Parameters:
    ///   - findings: the settled findings on this answer.
    ///   - azure: Azure's answers, piece by piece.
    static func of(
        _ response: TestResponse, _ findings: [AssessorFinding], panel: AssessorPanel, azure: [String] = []
    ) -> ResponseResult {
        var result = ResponseResult(response: response.id)
        let ordered = inOrder(SaidOfAnswers.resting(findings, on: response), of: panel)
        let made = ExamResult.make(
            sheets: [], findings: ordered.flatMap(\.countedEvidence), answers: [response.spoken].compactMap(\.self),
            rules: panel.rules)
        result.scores = scores(made)
        let transcript = ordered.compactMap(\.transcript).first
        result.transcript = transcript?.text
        // Mistakes refer to places in the shown words.
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
            limits: limits, rules: panel.rules)
        return StoredResult(overallBand: made.overall.mark, scores: scores(made), isHeld: made.isHeld)
    }

    /// Returns the findings of the current assessors in their order. Other findings follow rules that are no longer in
    /// use.
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

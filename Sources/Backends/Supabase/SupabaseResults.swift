public import Foundation
public import HTTPClient
import SystemSupport
public import UploadQueue

/// Asks a project for the status and results of a session.
public struct SupabaseResults: Sendable {
    private let rows: SupabaseRows

    public init(_ project: SupabaseProject, auth: SupabaseAuth, over exchange: any HTTPExchanging) {
        var calls = SupabaseCalls(project: project, auth: auth, exchange: exchange)
        // Each answer comes with everything that was found in it.
        calls.limits = .ofRecordings
        rows = SupabaseRows(calls: calls)
    }

    /// Returns the session's status, with the results for it and its answers once it is evaluated.
    ///
    /// - Throws: `refused` if the session doesn't exist, or the user may not read it.
    public func status(of session: UUID) async throws(DeliveryFailure) -> ResultPoll.Status {
        let filter = "id=eq.\(session.name)&select=status,overall_band_score,\(Self.scores)"
        guard let row = try await rows.one(SessionRow.self, "test_sessions", where: filter) else {
            throw DeliveryFailure(
                .refused, code: "406/PGRST116", message: "the session does not exist, or this user may not read it")
        }
        guard row.status == "evaluated" else {
            return ResultPoll.Status(word: row.status, results: SessionResults())
        }
        let columns = "question_id,processing_order,\(Self.scores),transcript,error_message,azure_response"
        let answers = try await rows.all(
            ResponseRow.self, "responses",
            where: "test_session_id=eq.\(session.name)&select=\(columns)&order=processing_order.asc")
        return ResultPoll.Status(
            word: row.status, results: SessionResults(scores: row.scores, answers: answers.map(\.answer)))
    }

    private static let scores =
        "fluency_score,pronunciation_score,grammar_score,vocabulary_score,topic_relevance_score"

    private struct SessionRow: Decodable {
        var status: String
        var scores: SessionResults.Scores

        private enum CodingKeys: CodingKey { case status, overallBandScore }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            status = try fields.decode(String.self, forKey: .status)
            scores = try CriterionColumns(from: decoder).scores
            scores.overall = try fields.decodeIfPresent(Double.self, forKey: .overallBandScore)
        }
    }

    private struct ResponseRow: Decodable {
        var answer: SessionResults.Answer

        private enum CodingKeys: CodingKey {
            case questionId, processingOrder, transcript, errorMessage, azureResponse
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            let scores = try CriterionColumns(from: decoder).scores
            // The value is part × 100 + order, as written with the row.
            let place = try fields.decodeIfPresent(Int.self, forKey: .processingOrder)
            answer = SessionResults.Answer(
                question: try fields.decodeIfPresent(String.self, forKey: .questionId)?.lowercased(),
                part: place.map { $0 / 100 }, order: place.map { $0 % 100 }, scores: scores.isEmpty ? nil : scores,
                transcript: try fields.decodeIfPresent(String.self, forKey: .transcript),
                error: try fields.decodeIfPresent(String.self, forKey: .errorMessage))
            if let found = try? fields.decodeIfPresent(FoundMistakes.self, forKey: .azureResponse) {
                answer.mistakes = found.mistakes.isEmpty ? nil : found.mistakes
            }
        }
    }

    private struct CriterionColumns: Decodable {
        var fluencyScore, pronunciationScore, grammarScore, vocabularyScore, topicRelevanceScore: Double?

        var scores: SessionResults.Scores {
            SessionResults.Scores(
                fluency: fluencyScore, pronunciation: pronunciationScore, grammar: grammarScore,
                vocabulary: vocabularyScore, topicRelevance: topicRelevanceScore)
        }
    }
}

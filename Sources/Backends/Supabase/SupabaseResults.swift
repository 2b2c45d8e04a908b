public import Foundation
public import HTTPClient
import SystemSupport
public import UploadQueue

/// Asks a project what became of a session (C10, C13).
public struct SupabaseResults: Sendable {
    private let rows: SupabaseRows

    public init(_ project: SupabaseProject, auth: SupabaseAuth, over exchange: any HTTPExchanging) {
        rows = SupabaseRows(calls: SupabaseCalls(project: project, auth: auth, exchange: exchange))
    }

    /// The session's status, with its scores as JSON when it is evaluated.
    ///
    /// - Throws: `refused` where the session is not there, or the user may not read it.
    public func status(of session: UUID) async throws(DeliveryFailure) -> ResultPoll.Status {
        let columns =
            "overall_band_score,fluency_score,pronunciation_score,grammar_score,vocabulary_score,topic_relevance_score"
        let filter = "id=eq.\(session.name)&select=status,\(columns)"
        guard let row = try await rows.one(Row.self, "test_sessions", where: filter) else {
            throw DeliveryFailure(
                .refused, code: "406/PGRST116", message: "there is no such session that this user may read")
        }
        return ResultPoll.Status(word: row.status, scores: row.scores)
    }

    /// D8 calls it TestResultsResponse.
    private struct Row: Codable {
        var status: String
        var overallBandScore, fluencyScore, pronunciationScore: Double?
        var grammarScore, vocabularyScore, topicRelevanceScore: Double?

        /// Every column, those without a score too, by its name.
        var scores: String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let scores = [
                "overall_band_score": overallBandScore, "fluency_score": fluencyScore,
                "pronunciation_score": pronunciationScore, "grammar_score": grammarScore,
                "vocabulary_score": vocabularyScore, "topic_relevance_score": topicRelevanceScore,
            ]
            return (try? encoder.encode(scores)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        }
    }
}

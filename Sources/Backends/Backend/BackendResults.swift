import BackendAPI
import Foundation
import HTTPClient
import SystemSupport
import UploadQueue

/// Asks an Oracy backend what became of a session (C10, C13).
struct BackendResults {
    let calls: BackendCalls
    /// How long the backend may hold its answer until there is something to tell, seconds; one that cannot answers at once.
    var patience = 25

    /// - Throws: `refused` where it does not know the session; as requests do.
    func status(of session: UUID) async throws(DeliveryFailure) -> ResultPoll.Status {
        struct Results: Decodable {
            var status: String
            /// `none`, `waiting`, `done` or `failed`; nil from a backend that does not say.
            var assessment: String?
            var scores: SessionResults.Scores?
            var answers: [SessionResults.Answer]?
        }
        var limits = HTTPLimits()
        // It says nothing while it holds the answer.
        limits.idle = .seconds(patience) + limits.idle
        (limits.responseBytes, limits.total) = (20 << 20, .seconds(600))
        let response = try await calls.ask(
            "GET", calls.routes.results(of: session), [("Prefer", "wait=\(patience)")], limits: limits)
        guard let answer = try? JSONDecoder().decodeForeign(Results.self, from: Data(response.body)) else {
            throw BackendUploader.failure(response, as: .transient, "the backend's answer has no status")
        }
        let results = SessionResults(scores: answer.scores ?? .init(), answers: answer.answers ?? [])
        if answer.assessment == "none", answer.status != "in_progress", !results.isScored { return .unscored(results) }
        return ResultPoll.Status(word: answer.status, results: results)
    }
}

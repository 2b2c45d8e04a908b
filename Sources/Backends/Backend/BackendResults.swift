import BackendAPI
import Foundation
import HTTPClient
import SystemSupport
import UploadQueue

/// Asks an Oracy backend for the state and the results of a session.
struct BackendResults {
    let calls: BackendCalls
    /// The seconds for which the backend may delay its answer until there is news. A backend without this feature
    /// answers at once.
    var patience = 25

    /// - Throws: `refused` if the backend doesn't know the session; the errors of requests.
    func status(of session: UUID) async throws(DeliveryFailure) -> ResultPoll.Status {
        struct Results: Decodable {
            var status: String
            /// `none`, `waiting`, `done` or `failed`; nil from a backend without this field.
            var assessment: String?
            var scores: SessionResults.Scores?
            var answers: [SessionResults.Answer]?
        }
        var limits = HTTPLimits()
        // The backend sends nothing while it delays the answer.
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

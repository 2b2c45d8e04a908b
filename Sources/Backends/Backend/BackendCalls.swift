import BackendAPI
import HTTPClient
import UploadQueue

/// Requests to an Oracy backend with the user's token.
struct BackendCalls: Sendable {
    let routes: BackendRoutes
    private let client: any HTTPExchanging
    private let token: BearerToken

    init(url: String, client: any HTTPExchanging, token: @escaping BearerToken) {
        routes = BackendRoutes(base: url)
        self.client = client
        self.token = token
    }

    /// - Parameter accepting: Statuses to return besides those of success.
    /// - Throws: The backend's refusals, in its words; the errors of requests.
    func ask(
        _ method: String, _ url: String, _ headers: [(String, String)] = [], body: HTTPRequest.Body = .none,
        limits: HTTPLimits = HTTPLimits(), accepting: Set<Int> = []
    ) async throws(DeliveryFailure) -> HTTPResponse {
        let all =
            try await client.headers(token) + [("Accept", "application/json, application/problem+json, */*;q=0.5")]
            + headers
        let response = try await client.answer(
            to: HTTPRequest(method, url, headers: all, body: body), limits: limits)
        guard response.isDone || accepting.contains(response.status) else { throw BackendUploader.failure(response) }
        return response
    }
}

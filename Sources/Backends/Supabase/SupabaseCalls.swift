import HTTPClient
import UploadQueue

/// Requests to a project with its key and the user's token; what a new token or a moment's patience mends is asked again once.
struct SupabaseCalls: Sendable {
    let project: SupabaseProject
    let auth: SupabaseAuth
    let exchange: any HTTPExchanging
    var limits = HTTPLimits()
    /// Waits before a request is repeated; a test has no time for that.
    var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Asks one service of the project.
    ///
    /// - Parameters:
    ///   - path: behind the project's URL, or a whole URL of the same server.
    ///   - sent: told how many bytes of the body have gone.
    /// - Throws: where there was no answer, or nobody is signed in; what the service refuses is an `Answer`.
    func ask(
        _ service: ServerError.Service, _ method: String, _ path: String, _ headers: [(String, String)] = [],
        body: HTTPRequest.Body = .none, sent: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws(DeliveryFailure) -> Answer {
        var credentials = try await auth.credentials()
        var (isRefreshed, isRepeated) = (false, false)
        while true {
            if Task.isCancelled { throw DeliveryFailure(.cancelled) }
            var request = HTTPRequest(
                method, path.hasPrefix("/") ? project.url + path : path,
                headers: [("apikey", project.key), ("Authorization", "Bearer \(credentials.accessToken)")] + headers,
                body: body)
            // libcurl would send a piece once more, from its beginning, and nobody would hear of it.
            request.isAlone = service == .tus && method == "PATCH"
            let response: HTTPResponse
            do throws(HTTPFailure) {
                response = try await exchange.exchange(request, limits: limits, sent: sent)
            } catch {
                throw DeliveryFailure(error)
            }
            await auth.heard(date: response.headers["date"])
            let answer = Answer(service, response)
            switch answer.verdict {
            case .refreshToken where !isRefreshed:
                isRefreshed = true
                credentials = try await auth.credentials(insteadOf: credentials)
            case .refused where !isRefreshed && answer.mayBeAboutTheToken(method, service):
                isRefreshed = true
                credentials = try await auth.credentials(insteadOf: credentials)
            case .onceMore where !isRepeated:
                isRepeated = true
                do { try await pause(.seconds(1)) } catch { throw DeliveryFailure(.cancelled) }
            default:
                return answer
            }
        }
    }
}

/// What a service answered, and what that means.
struct Answer {
    let response: HTTPResponse
    /// nil where it did as it was asked.
    let error: ServerError?
    let verdict: ErrorTable.Verdict?

    init(_ service: ServerError.Service, _ response: HTTPResponse) {
        self.response = response
        let error = (200..<300).contains(response.status) ? nil : ServerError(service, response)
        self.error = error
        verdict = error.map(ErrorTable.verdict)
    }

    /// A HEAD has no words that tell an expired token from an upload that is gone.
    func mayBeAboutTheToken(_ method: String, _ service: ServerError.Service) -> Bool {
        service == .tus && method == "HEAD" && response.body.isEmpty && [400, 401, 403].contains(response.status)
    }

    /// - Throws: where the service did not do as it was asked.
    @discardableResult func done() throws(DeliveryFailure) -> HTTPResponse {
        guard let error, let verdict else { return response }
        throw error.failure(because: verdict)
    }

    /// An answer of success that is not the service's own: a hotel's page, say.
    func unbelievable(_ expected: String) -> DeliveryFailure {
        DeliveryFailure(.transient, code: String(response.status), message: "the answer is not \(expected)")
    }
}

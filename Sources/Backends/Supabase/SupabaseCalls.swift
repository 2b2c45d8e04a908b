import HTTPClient
import UploadQueue

/// Makes requests to a project with its key and the user's token. Repeats a request once with a new token, and once
/// after a second, if the answer says that this may help.
struct SupabaseCalls: Sendable {
    let project: SupabaseProject
    let auth: SupabaseAuth
    let exchange: any HTTPExchanging
    var limits = HTTPLimits()
    /// Waits before a request is repeated. Replaced in tests.
    var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Makes a request to one service of the project.
    ///
    /// - Parameters:
    ///   - path: A path below the project's URL, or a whole URL of the same server.
    ///   - sent: Called with the number of bytes of the body sent so far.
    /// - Throws: A failure if the service did not answer, or if no user is signed in.
    /// - Returns: The service's answer, even if it is a refusal.
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
            // Without `isAlone`, libcurl may silently send a piece again from its beginning.
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

/// A service's answer and its meaning.
struct Answer {
    let response: HTTPResponse
    /// Nil if the service did what it was asked to.
    let error: ServerError?
    let verdict: ErrorTable.Verdict?

    init(_ service: ServerError.Service, _ response: HTTPResponse) {
        self.response = response
        let error = (200..<300).contains(response.status) ? nil : ServerError(service, response)
        self.error = error
        verdict = error.map(ErrorTable.verdict)
    }

    /// Returns whether a new token may help although the answer does not name the token. The answer to a HEAD request has
    /// no text that distinguishes an expired token from a missing upload.
    func mayBeAboutTheToken(_ method: String, _ service: ServerError.Service) -> Bool {
        service == .tus && method == "HEAD" && response.body.isEmpty && [400, 401, 403].contains(response.status)
    }

    /// - Throws: A failure unless the service did what it was asked to.
    @discardableResult func done() throws(DeliveryFailure) -> HTTPResponse {
        guard let error, let verdict else { return response }
        throw error.failure(because: verdict)
    }

    /// Returns the failure for an answer with a status of success that did not come from the service, such as the sign-in
    /// page of a hotel's network.
    func unbelievable(_ expected: String) -> DeliveryFailure {
        DeliveryFailure(.transient, code: String(response.status), message: "the answer is not \(expected)")
    }
}

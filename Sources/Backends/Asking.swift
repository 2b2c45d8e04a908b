import HTTPClient
import UploadQueue

extension HTTPExchanging {
    /// Returns a server's answer with any status. If no answer comes, throws a failure that the queue understands.
    func answer(
        to request: HTTPRequest, limits: HTTPLimits = HTTPLimits(), sent: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws(DeliveryFailure) -> HTTPResponse {
        do throws(HTTPFailure) {
            return try await exchange(request, limits: limits, sent: sent)
        } catch {
            throw DeliveryFailure(error)
        }
    }

    /// Returns an `Authorization` header if there is a token.
    func headers(
        _ token: @Sendable () async throws(DeliveryFailure) -> String?
    ) async throws(DeliveryFailure) -> [(String, String)] {
        guard let token = try await token() else { return [] }
        // A line break would begin another header, and an empty token is invalid.
        guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw DeliveryFailure(.signInNeeded, code: "token", message: "the token is empty or contains a space")
        }
        return [("Authorization", "Bearer \(token)")]
    }
}

extension HTTPResponse {
    /// Whether the answer is a success. HTML with any status comes from a third party, such as a proxy or a hotel's
    /// network. An answer without a body may still state the type of HTML (OpenStack Swift does so).
    var isDone: Bool {
        [200, 201, 202, 204].contains(status)
            && (body.isEmpty || headers["content-type"]?.lowercased().hasPrefix("text/html") != true)
    }
}

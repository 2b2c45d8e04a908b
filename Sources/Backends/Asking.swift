import HTTPClient
import UploadQueue

extension HTTPExchanging {
    /// A server's answer, whatever its status; why there is none is said in the queue's terms.
    func answer(
        to request: HTTPRequest, limits: HTTPLimits = HTTPLimits(), sent: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws(DeliveryFailure) -> HTTPResponse {
        do throws(HTTPFailure) {
            return try await exchange(request, limits: limits, sent: sent)
        } catch {
            throw DeliveryFailure(error)
        }
    }

    /// `Authorization`, where there is a token.
    func headers(
        _ token: @Sendable () async throws(DeliveryFailure) -> String?
    ) async throws(DeliveryFailure) -> [(String, String)] {
        guard let token = try await token() else { return [] }
        // A line break would make a header of its own; an empty one is no token.
        guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw DeliveryFailure(.signInNeeded, code: "token", message: "the token is empty, or has a space in it")
        }
        return [("Authorization", "Bearer \(token)")]
    }
}

extension HTTPResponse {
    /// An answer of success. A page in HTML is a stranger's, whatever its status: a proxy's or a hotel's; servers that name
    /// that type for an answer without a body mean nothing by it (OpenStack Swift does).
    var isDone: Bool {
        [200, 201, 202, 204].contains(status)
            && (body.isEmpty || headers["content-type"]?.lowercased().hasPrefix("text/html") != true)
    }
}

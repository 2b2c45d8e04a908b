import Foundation
public import HTTPTypes
public import Hummingbird

/// An error of a request as a problem document (RFC 9457). Routes throw it, and clients receive it.
///
/// ```json
/// {"type":"/problems/no-such-session","title":"No such session","status":404,"detail":"You have no session with this id."}
/// ```
///
/// The last part of the type is the error's code, for programs. Title and detail are for people, in plain words. A
/// document never contains another user's data, a path of this machine or a secret.
public struct APIProblem: HTTPResponseError {
    public var status: HTTPResponse.Status
    /// In lower case, with hyphens between words.
    public var code: String
    /// The same text for each code: one sentence without its full stop.
    public var title: String
    /// The details of this request: what is wrong, in which field, and what to do.
    public var detail: String
    /// The seconds to wait, for 429 and 503.
    public var retryAfter: Int?
    /// The headers to send besides those of every problem.
    public var headers: HTTPFields
    /// The request's id in the log.
    var requestID: String?

    public init(
        _ status: HTTPResponse.Status, _ code: String, _ title: String, _ detail: String, retryAfter: Int? = nil,
        headers: HTTPFields = [:]
    ) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.retryAfter = retryAfter
        self.headers = headers
    }

    public func response(from request: Request, context: some RequestContext) throws -> Response {
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: document)))
    }

    /// The document as JSON.
    public var document: [UInt8] {
        struct Document: Encodable {
            var type, title: String
            var status: Int
            var detail: String
            var requestId: String?
        }
        let document = Document(
            type: "/problems/\(code)", title: title, status: status.code, detail: detail, requestId: requestID)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array((try? encoder.encode(document)) ?? Data())
    }
}

extension APIProblem {
    static let noToken = APIProblem(
        .unauthorized, "no-token", "Sign in", "This needs a valid bearer token.", headers: [.wwwAuthenticate: "Bearer"])

    /// Returns the same error for a missing object as for another user's, so that a stranger learns nothing.
    static func missing(_ what: String) -> APIProblem {
        APIProblem(.notFound, "not-found", "Not found", "You have no \(what) with this id.")
    }

    /// Returns the error for a caller whose token does not contain a role.
    static func notFor(_ role: Role) -> APIProblem {
        APIProblem(
            .forbidden, "not-your-role", "Not your role", "This is for those whose token has the role \(role.rawValue)."
        )
    }

    static func malformed(_ detail: String) -> APIProblem {
        APIProblem(.badRequest, "malformed", "Invalid request", detail)
    }

    /// Returns the error for fields that are valid by themselves but not together.
    static func contradictory(_ detail: String) -> APIProblem {
        APIProblem(.unprocessableContent, "contradictory", "Contradictory request", detail)
    }

    static let fault = APIProblem(
        .internalServerError, "fault", "Server fault",
        "Something failed on the server. Nothing that was stored is lost.")

    static let busy = APIProblem(
        .serviceUnavailable, "unavailable", "Temporarily unavailable",
        "The server cannot reach its database or its storage.",
        retryAfter: 5)
}
